import type { JSX } from "preact";
import type { Board } from "./board";
import type { TitleLuck } from "./luck/draws";
import type { Teaching } from "./teaching/teaching";
import type { Catalogue, Language } from "./translation";

/** What the pages need before the server has answered, or what its catalog does not tell. */
export interface TitleFacts {
  name: string;
  /** How long a game takes. */
  minutes: string;
  /** The background of the cover. */
  colour: string;
  /** Other titles whose modules this board uses: their texts are loaded with its own. */
  alsoTextsOf?: readonly string[];
}

/** What a folder of `src/titles` may have. Every part is optional, and every part of a board. */
export interface TitleParts {
  /** `title.ts` */
  facts?: TitleFacts;
  /** `cover.tsx`: lines on the background, in 240 by 120. */
  cover?: JSX.Element;
  /** `board.tsx` */
  board?: () => Promise<Partial<Board>>;
  /** `luck.ts`: recomputes the draws of a finished game. */
  luck?: () => Promise<TitleLuck>;
  /** `teaching.tsx`: legend, chapters of the rules and hints of the guided game. */
  teaching?: () => Promise<Teaching>;
  /** `text/<language>.json` */
  texts: Partial<Record<Language, () => Promise<Catalogue>>>;
}
