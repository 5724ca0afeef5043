import type { JSX } from "preact";
import { drawn, Glyph, type GlyphProps } from "./glyph";

/** A stepped tower: the sign of temples. */
export const TempleTower = drawn(
  "M1.5 22v-4h3v-4.5h3V9h2.3V5.5h4.4V9h2.3v4.5h3V18h3v4h-7.3v-4.5a3.2 3.2 0 0 0-6.4 0V22z",
);

/** An ear of grain: the sign of farms. */
export function Grain(props: GlyphProps): JSX.Element {
  return (
    <Glyph {...props}>
      <path d="M11.2 9h1.6v14h-1.6z" />
      <path d="M12 .8c2.2 2.6 2.2 5.2 0 7.4-2.2-2.2-2.2-4.8 0-7.4z" />
      {[4.5, 9.3, 14.1].map((top) => (
        <g key={top} transform={`translate(12 ${top})`}>
          <path d="M1.3 6.5C1 3.2 2.7 1 6.6.4c.4 3.8-1.4 6-5.3 6.1z" />
          <path d="M-1.3 6.5C-1 3.2-2.7 1-6.6.4c-.4 3.8 1.4 6 5.3 6.1z" />
        </g>
      ))}
    </Glyph>
  );
}

/** A balance: the sign of markets. */
export const Balance = drawn(
  "M10.8 1.5h2.4v2.3l7.8 1.4v1.6l2.5 6.7c0 2.5-1.7 4-4 4s-4-1.5-4-4l2.6-6.9-4.9-.9v12.8h4V22H6.8v-3.5h4V5.7l-4.9.9" +
    " 2.6 6.9c0 2.5-1.7 4-4 4s-4-1.5-4-4L3 6.8V5.2l7.8-1.4zM4.5 8.5l-1.9 5h3.8zm15 0-1.9 5h3.8z",
);

/** A gate in a wall: the sign of settlements. */
export const Gate = drawn("M1.5 22V7h3.2v2.2h2.6V3h3.2v2.4h3V3h3.2v6.2h2.6V7h3.2v15h-7v-5.3a3.5 3.5 0 0 0-7 0V22z");

/** Outlines on which a dynasty's picture shows whose leader it is; the outline alone tells which leader. */
export const PRIEST = "M20 2 35 13v24H5V13z";
export const FARMER = "M20 3a17 17 0 1 1 0 34 17 17 0 0 1 0-34z";
export const TRADER = "M11 4h18l9 16-9 16H11L2 20z";
export const KING = "M3 5l9 7 8-10 8 10 9-7v22c0 7-8 10-17 10S3 34 3 27z";
