import { stoneAge } from "@shedu/client";
import type { JSX } from "preact";

const { Place } = stoneAge;

const HILLS = <path d="M0 34Q20 22 42 32T84 28 120 34V64H0z" class="s-hill" />;
const MEADOW = <path d="M0 46Q30 38 60 44T120 42V64H0z" class="s-grass" />;

function tree(x: number, size: number): JSX.Element {
  return (
    <g key={x} transform={`translate(${x} 52) scale(${size})`}>
      <path d="M-2 0h4v-9h-4z" class="s-trunk" />
      <path d="M0-38-11-20h5l-8 13h28L6-20h5z" class="s-tree" />
    </g>
  );
}

function boulder(x: number, y: number, size: number): JSX.Element {
  return (
    <g key={`${x} ${y}`} transform={`translate(${x} ${y}) scale(${size})`}>
      <path d="M-14 0-10-12 0-17 11-12 15 0z" class="s-rock" />
      <path d="M0-17 3-8 15 0M3-8-10-12" class="s-edge" />
    </g>
  );
}

const MAMMOTH = (
  <g>
    <path
      d="M38 52c-1-14 4-24 18-26 6-6 18-5 22 2 8 1 12 8 12 16 0 5-3 7-4 4-1-4-2-7-4-8v12h-8v-8H58v8h-8v-9c-3 2-4 5-4 9z"
      class="s-hide"
    />
    <path d="M88 40c4 2 5 7 1 10M84 42c2 3 2 7-2 9" class="s-tusk" />
    <circle cx="79" cy="33" r="1.6" class="s-dark" />
  </g>
);

const PIT = (
  <g>
    <path d="M18 56c4-18 22-26 44-26s38 8 42 26z" class="s-clay" />
    <path d="M34 56c4-11 14-16 28-16s24 5 28 16z" class="s-clay-deep" />
    {[44, 56, 68].map((x) => (
      <rect key={x} x={x} y="47" width="10" height="5" rx="1" class="s-brick" />
    ))}
    {[50, 62].map((x) => (
      <rect key={x} x={x} y="41" width="10" height="5" rx="1" class="s-brick" />
    ))}
  </g>
);

const STREAM = (
  <g>
    <path d="M70 36c-2 5-24 5-20 11s-22 8-30 17h76c2-9-20-11-16-18s-4-5-10-10z" class="s-water" />
    <path d="M48 52q5-4 10 0t10 0M42 59q5-4 10 0t10 0 10 0" class="s-wave" />
    {[
      [72, 56],
      [36, 61],
      [60, 45],
    ].map(([x, y]) => (
      <circle key={x} cx={x} cy={y} r="2.6" class="s-gold" />
    ))}
  </g>
);

const WORKSHOP = (
  <g>
    <path d="M24 54 44 22l20 32z" class="s-tent" />
    <path d="M40 54l4-14 4 14z" class="s-dark" />
    <path d="M78 54c0-6 4-9 10-9s10 3 10 9z" class="s-rock" />
    <path d="M80 44 96 26M90 22c6-2 10 2 11 8-4-1-7 0-9 3z" class="s-axe" />
  </g>
);

const HUTS = (
  <g>
    <path d="M30 54V38l20-18 20 18v16z" class="s-tent" />
    <path d="M26 41 50 18l24 23" class="s-roof" />
    <path d="M45 54V43h10v11z" class="s-dark" />
    <path d="M88 46c-6-6-6-11 0-11 2 0 3 1 4 3 1-2 2-3 4-3 6 0 6 5 0 11l-4 4z" class="s-heart" />
  </g>
);

const CROP = (
  <g>
    {[0, 1, 2].map((row) => (
      <path
        key={row}
        d={`M${8 + row * 4} ${50 + row * 6}Q60 ${42 + row * 6} ${112 - row * 4} ${50 + row * 6}`}
        class="s-furrow"
      />
    ))}
    {[26, 42, 58, 74, 90].map((x, index) => (
      <path
        key={x}
        d={`M${x} 52v-16m0 8c-5 0-6-4-6-7 4 0 6 3 6 7m0 0c5 0 6-4 6-7-4 0-6 3-6 7`}
        class={index % 2 ? "s-corn" : "s-corn tall"}
      />
    ))}
  </g>
);

const PICTURES: Partial<Record<stoneAge.Place, JSX.Element | JSX.Element[]>> = {
  [Place.HUNTING]: MAMMOTH,
  [Place.FOREST]: [tree(22, 0.9), tree(98, 0.8), tree(42, 1.15), tree(80, 1.05), tree(61, 1)],
  [Place.CLAY_PIT]: PIT,
  [Place.QUARRY]: [boulder(36, 50, 1.3), boulder(82, 50, 1.5), boulder(60, 54, 1)],
  [Place.RIVER]: STREAM,
  [Place.TOOL_MAKER]: WORKSHOP,
  [Place.HUT]: HUTS,
  [Place.FIELD]: CROP,
};

/** What a place looks like. */
export function PlaceScene({ place }: { place: stoneAge.Place }): JSX.Element {
  return (
    <svg class="place-scene" viewBox="0 0 120 64" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <rect width="120" height="64" class="s-sky" />
      <circle cx={18 + place * 10} cy="13" r="6" class="s-sun" />
      {HILLS}
      {MEADOW}
      {PICTURES[place]}
    </svg>
  );
}
