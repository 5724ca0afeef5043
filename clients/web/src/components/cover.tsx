import type { JSX } from "preact";
import { TITLES } from "shedu:titles";

/** A title's picture on the gallery. It is decoration: the words beside it tell everything. */
export function Cover({ title }: { title: string }): JSX.Element {
  const parts = TITLES.get(title);
  return (
    <svg class="cover" aria-hidden="true">
      <rect width="100%" height="100%" fill={parts?.facts?.colour ?? colourOf(title)} />
      <svg class="motif" viewBox="-12 -14 264 148">
        {parts?.cover ?? DEFAULT}
      </svg>
    </svg>
  );
}

/** For titles without a cover of their own: a board with a pawn, and a die beside it. */
const DEFAULT = (
  <>
    <path d="M60 96h120M76 78h88M90 60h60M60 96l30-36M180 96l-30-36M100 96l10-36M140 96l-10-36" />
    <path d="M108 70c4-8 6-14 6-22a10 10 0 1 1 12 0c0 8 2 14 6 22zM194 100V74h26v26zM202 82h.1M212 92h.1" />
  </>
);

/** The same colour for the same title on every visit; dark enough for the white lines on it. */
function colourOf(title: string): string {
  let hue = 0;
  for (const letter of title) hue = (hue * 31 + letter.charCodeAt(0)) % 360;
  return `hsl(${hue} 40% 36%)`;
}
