import type { JSX } from "preact";
import { Glyph, drawn, type GlyphProps, type Picture } from "./glyph";

const rays = Array.from({ length: 24 }, (_, ray) => {
  const angle = (ray * Math.PI) / 12;
  const reach = ray % 2 ? 8.6 : 11.4;
  return `${(12 + reach * Math.sin(angle)).toFixed(2)} ${(12 - reach * Math.cos(angle)).toFixed(2)}`;
}).join("L");

export const Lion = drawn(
  `M${rays}Z M12 5.6a6.6 6.6 0 0 0-6.4 6.6c0 4 3 7 6.4 7s6.4-3 6.4-7a6.6 6.6 0 0 0-6.4-6.6z` +
    "M8.9 9.7a1.25 1.25 0 1 1 0 2.5 1.25 1.25 0 0 1 0-2.5zm6.2 0a1.25 1.25 0 1 1 0 2.5 1.25 1.25 0 0 1 0-2.5z" +
    "M10.2 13.4h3.6l-1.3 1.8v1l1.9.9-.6 1-1.8-.8-1.8.8-.6-1 1.9-.9v-1z",
);

export const Pot = drawn(
  "M8 2h8v2.6h-1.4v2c4 1.3 6.1 4.3 6.1 7.7 0 4-2.7 6.6-5.7 7.7h-6c-3-1.1-5.7-3.7-5.7-7.7" +
    " 0-3.4 2.1-6.4 6.1-7.7v-2H8zM6.3 13.2h11.4l-.4-1.8H6.7zM6.5 16.6l1 1.7h9l1-1.7z",
);

export const Bull = drawn(
  "M1.5 3.2C2 7 4.3 9 7 9.2 8.3 8.3 10 7.9 12 7.9s3.7.4 5 1.3c2.7-.2 5-2.2 5.5-6 1.6 4.7 0 8.7-4 9.8" +
    "l-1.7 5.4c-.6 2.3-2.5 3.6-4.8 3.6s-4.2-1.3-4.8-3.6L5.5 13c-4-1.1-5.6-5.1-4-9.8z" +
    "M8.6 12.2a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zm6.8 0a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4z" +
    "M9.7 18a1 1 0 1 0 2 0 1 1 0 0 0-2 0zm2.6 0a1 1 0 1 0 2 0 1 1 0 0 0-2 0z",
);

export function Archer(props: GlyphProps): JSX.Element {
  return (
    <Glyph {...props}>
      <g fill="none" stroke="currentColor" stroke-linecap="round">
        <path d="M9 2c7.5 1.5 12 9.5 6.5 20" stroke-width="2.6" />
        <path d="M9 2 15.5 22" stroke-width="1.2" />
        <path d="M3 16 20 9.5" stroke-width="2" />
      </g>
      <path d="m22.5 8.5-5.6-.3 2 4.6zM1 16.8l4-3.8.6 3 2 2z" />
    </Glyph>
  );
}

/** By seat. */
export const DYNASTIES: readonly Picture[] = [Lion, Pot, Archer, Bull];

/** A seat's own picture and its player's name. */
export function SeatMark({ seat, name }: { seat: number; name: string }): JSX.Element {
  const Dynasty = DYNASTIES[seat % DYNASTIES.length] ?? Lion;
  return (
    <span class={`seat-mark seat-${seat}`}>
      <Dynasty />
      {name}
    </span>
  );
}
