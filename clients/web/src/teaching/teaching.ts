import type { View } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { TITLES } from "shedu:titles";
import { type Language, useLanguage } from "../translation";

/** What `teaching_<language>.json` of a title has, by the keys of its `Teaching`. */
export interface TeachingTexts {
  /** What a piece or place is for, in a sentence or two. */
  legend: Record<string, string>;
  /** Headings of the rules. */
  chapters: Record<string, string>;
  /** By id of the rule. Empty in English: the server has those texts. */
  rules: Record<string, string>;
  /** Hints of the guided game, by the id of the question that a decision asks: one for each time it is asked. */
  guide: Record<string, readonly string[]>;
}

/** Actions of one kind that have these values, such as `{ kind: "placeTile", colour: Colour.RED }`. */
export interface Move {
  kind: string;
  [value: string]: unknown;
}

/** The script of the guided game: moves by the id of the question that a decision asks. */
export interface Lesson {
  /** What the guide proposes to the player, one for each time the question is asked. */
  own: Record<string, readonly Move[]>;
  /** What the other seats do: the first one that is legal, or else the first legal action. */
  others: Record<string, readonly Move[]>;
}

/** What `src/titles/<title>/teaching.tsx` exports as `teaching`. */
export interface Teaching {
  /** Key and picture. */
  legend: readonly (readonly [string, JSX.Element])[];
  /** The keys of the legend that tell what a target of the board is, by its key. */
  about?: (target: string, view: View) => readonly string[];
  /** Key and ids of rules. */
  chapters: readonly (readonly [string, readonly string[]])[];
  lesson?: Lesson;
  texts: Record<Language, () => Promise<{ default: TeachingTexts }>>;
}

export interface LoadedTeaching extends Pick<Teaching, "legend" | "chapters" | "about" | "lesson"> {
  texts: TeachingTexts;
}

/** The teaching of a title in the language of the player, once it is loaded; undefined while not or where there is none. */
export function useTeaching(title: string | undefined): LoadedTeaching | undefined {
  const language = useLanguage();
  const [found, setFound] = useState<LoadedTeaching>();
  useEffect(() => {
    if (title === undefined) return;
    let isWanted = true;
    void load(title, language).then((loaded) => isWanted && setFound(loaded), () => undefined);
    return () => {
      isWanted = false;
    };
  }, [title, language]);
  return found;
}

async function load(title: string, language: Language): Promise<LoadedTeaching | undefined> {
  const teaching = await TITLES.get(title)?.teaching?.();
  return teaching && { ...teaching, texts: (await teaching.texts[language]()).default };
}

export function hasTeaching(title: string): boolean {
  return TITLES.get(title)?.teaching !== undefined;
}
