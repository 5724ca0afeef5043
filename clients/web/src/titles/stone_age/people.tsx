import type { JSX } from "preact";
import { Glyph, type GlyphProps } from "../../art/glyph";

const BODY =
  "M12 1.2a4.2 4.2 0 0 1 4 5.3c3.2.9 6.3 2.3 6.3 4.2 0 1.7-2.3 2-4.6 2.1l3 8.5c.3.8-.2 1.6-1 1.6h-4.9L12 18.7 9.2 22.9H4.3" +
  "c-.8 0-1.3-.8-1-1.6l3-8.5c-2.3-.1-4.6-.4-4.6-2.1 0-1.9 3.1-3.3 6.3-4.2a4.2 4.2 0 0 1 4-5.3z";

/** By seat, so that colour is not the only sign. */
const BADGES = [
  "M12 9.3a2.9 2.9 0 1 1 0 5.8 2.9 2.9 0 0 1 0-5.8z",
  "M12 8.8l3.5 6h-7z",
  "M9.3 9.5h5.4v5.4H9.3z",
  "M12 8.3l3.7 3.9-3.7 3.9-3.7-3.9z",
];

/** One of a seat's people. */
export function Person({ seat, ...place }: GlyphProps & { seat: number }): JSX.Element {
  return (
    <g class={`person seat-${seat}`}>
      <Glyph {...place}>
        <path d={BODY} class="person-body" />
        <path d={BADGES[seat % BADGES.length] ?? ""} class="person-badge" />
      </Glyph>
    </g>
  );
}

/** A seat's own figure and its player's name. */
export function TribeMark({ seat, name }: { seat: number; name: string }): JSX.Element {
  return (
    <span class={`seat-mark seat-${seat}`}>
      <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
        <Person seat={seat} size={24} />
      </svg>
      {name}
    </span>
  );
}
