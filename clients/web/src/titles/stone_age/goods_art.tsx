import type { JSX } from "preact";
import { drawn, Glyph, type GlyphProps } from "../../art/glyph";

export const Food = drawn(
  "M14.5 1.5a8 8 0 0 1 5.7 13.7c-2.4 2.4-5.8 2.9-8.6 1.6l-3.3 3.3a2.5 2.5 0 1 1-4.3 1.6 2.5 2.5 0 1 1 1.6-4.3" +
    "l3.3-3.3C7.6 11.3 6.2 7.2 8.8 3.9 10.2 2.3 12.2 1.5 14.5 1.5zM11.5 8a1.4 1.4 0 0 0 2.4 1c1.1-1.1.9-2.4 2.1-3.6a1.4 1.4 0 0 0-1-2.3c-1.8.1-3.5 2.7-3.5 4.9z",
);
export const Wood = drawn(
  "M6 5h13.5a3.5 7 0 0 1 0 14H6a3.5 7 0 0 1 0-14zm0 2.5a1.8 4.5 0 1 0 0 9 1.8 4.5 0 0 0 0-9zm0 2.5a.8 2 0 1 1 0 4 .8 2 0 0 1 0-4zM11 8.5V10h7V8.5zm1.5 5.5v1.5h6.5V14z",
);
export const Brick = drawn(
  "M2 4h9.3v4.7H2zm10.7 0H22v4.7h-9.3zM2 10h4.6v4.7H2zm6 0h8v4.7H8zm9.4 0H22v4.7h-4.6zM2 16h9.3v4.7H2zm10.7 0H22v4.7h-9.3z",
);
export const Stone = drawn(
  "M1.5 18 5 8.5l6.5-5 8 3 3 8.5-4 6H6zM11.2 6.2l-4 3.5 4.5 3.3 5.3-4.8zm1.3 8.7-3 3.6h7.2l2.8-3.9z",
);
export const Gold = drawn("M8.8 3h6.4l2 7H6.8zM3.7 12.5h6.4l2 7.5H1.6zm10.2 0h6.4l2.1 7.5H11.8z");
export const Axe = drawn(
  "M14.5 2.5c3.5-.9 6.5.8 7.5 4.5-2.3.5-4.3 1.8-5.6 4.3l-2.6-1.7L5 21.5 2.5 19.5 11.3 7.6 9.2 5.8c1.5-1.7 3.2-2.8 5.3-3.3z",
);
export const Points = drawn("M12 1.5l3.1 6.8 7.4.8-5.5 5 1.5 7.3L12 17.7l-6.5 3.7L7 14.1l-5.5-5 7.4-.8z");
export const Field = drawn(
  "M2 20.5h20V23H2zM11 19v-6.5C7.5 12.5 5 10.5 4.5 7 8 6.8 10.2 8 11 10.5V5.3c-2-.9-2.6-2.5-2-4.3 1.2.2 2.3.9 3 2 .7-1.1 1.8-1.8 3-2 .6 1.8 0 3.4-2 4.3v5.2c.8-2.5 3-3.7 6.5-3.5-.5 3.5-3 5.5-6.5 5.5V19z",
);
export const Deck = drawn(
  "M7 1.5h12.5A1.5 1.5 0 0 1 21 3v14h-2.3V3.8H7zM4.5 5H15a1.5 1.5 0 0 1 1.5 1.5v14.5A1.5 1.5 0 0 1 15 22.5H4.5A1.5 1.5 0 0 1 3 21V6.5A1.5 1.5 0 0 1 4.5 5zm5.250 4.5-2.5 4.250 2.5 4.250 2.5-4.250z",
);

const PIPS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[12, 12]],
  [
    [7, 7],
    [17, 17],
  ],
  [
    [7, 7],
    [12, 12],
    [17, 17],
  ],
  [
    [7, 7],
    [17, 7],
    [7, 17],
    [17, 17],
  ],
  [
    [7, 7],
    [17, 7],
    [12, 12],
    [7, 17],
    [17, 17],
  ],
  [
    [7, 7],
    [17, 7],
    [7, 12],
    [17, 12],
    [7, 17],
    [17, 17],
  ],
];

/** A die that shows this face. */
export function Die({ face, ...place }: GlyphProps & { face: number }): JSX.Element {
  return (
    <Glyph {...place}>
      <rect x="1.5" y="1.5" width="21" height="21" rx="5" class="die-body" />
      {(PIPS[face] ?? []).map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="2.3" class="die-pip" />
      ))}
    </Glyph>
  );
}
