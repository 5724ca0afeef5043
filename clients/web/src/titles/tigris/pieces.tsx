import type { tigris } from "@shedu/client";
import type { ComponentChildren, JSX } from "preact";
import { DYNASTIES, Lion } from "../../art/seat_marks";
import { look, shown } from "./colours";
import { type At, outline } from "../../boards/outline";
import { cross, SIDE, SPACE } from "./spaces";

/** Anything that lies on one space; 40 by 40. */
export function On({
  space,
  children,
  class: name,
}: {
  space: At;
  children: ComponentChildren;
  class?: string;
}): JSX.Element {
  return (
    <g class={name} transform={`translate(${space.column * SIDE} ${space.row * SIDE})`}>
      {children}
    </g>
  );
}

export function Tile({ colour }: { colour: tigris.Colour }): JSX.Element {
  const { class: name, Picture } = look(colour);
  return (
    <g class={`tile ${name}`}>
      <rect x="2" y="2" width="36" height="36" rx="5" class="tile-body" />
      <rect x="2" y="2" width="36" height="36" rx="5" class="tile-weave" />
      <path d="M5 3.5h30" class="tile-shine" />
      <Picture x={7.5} y={7.5} size={25} />
    </g>
  );
}

/** A tile turned face down under a monument. */
export function FaceDown(): JSX.Element {
  return <rect x="2" y="2" width="36" height="36" rx="5" class="face-down" />;
}

export function Leader({ colour, seat }: { colour: tigris.Colour; seat: number }): JSX.Element {
  const { class: name, outline: shape } = look(colour);
  const Dynasty = DYNASTIES[seat % DYNASTIES.length] ?? Lion;
  return (
    <g class={`leader ${name}`}>
      <path d={shape} class="leader-shade" />
      <path d={shape} class="leader-body" />
      <Dynasty x={9} y={12} size={22} />
    </g>
  );
}

/** How strong a leader is. */
export function Strength({ value }: { value: number }): JSX.Element {
  return (
    <g class="strength" transform="translate(32 32)">
      <circle r="9" />
      <text y={value > 9 ? 4.2 : 5} class={value > 9 ? "long" : ""}>
        {value}
      </text>
    </g>
  );
}

export function Treasure(): JSX.Element {
  return (
    <g class="treasure" transform="translate(29 11)">
      <path d="M-5-8.5h10L9.5-3 0 9.5-9.5-3z" />
      <path d="M-9.5-3h19M-5-8.5-3-3 0 9.5 3-3 5-8.5" class="facet" />
    </g>
  );
}

export function Catastrophe(): JSX.Element {
  return (
    <g class="catastrophe">
      <rect x="2" y="2" width="36" height="36" rx="5" />
      <path d="m21 3-5 10 6 4-8 9 5 3-3 8M16 13 5 11M22 17l13-3M14 26 4 29M19 29l15 4" />
    </g>
  );
}

/** A building doubles the points of tiles of its colour. */
export function Building({ colour }: { colour: tigris.Colour }): JSX.Element {
  return (
    <g class={`building ${look(colour).class}`} transform="translate(1 19)">
      <path d="M1 20V8L11 1l10 7v12z" />
      <text x="11" y="17">
        ×2
      </text>
    </g>
  );
}

/** Seen from above: four flights of steps in its two colours. */
export function Monument({ monument }: { monument: tigris.Monument }): JSX.Element {
  const [first, second] = shown(monument).map(look);
  if (!first || !second) return <g />;
  return (
    <g class="monument">
      <rect x="7" y="7" width="66" height="66" rx="3" class={`step ${first.class}`} />
      <rect x="15" y="15" width="50" height="50" rx="2" class={`step ${second.class}`} />
      <rect x="23" y="23" width="34" height="34" rx="2" class={`step ${first.class}`} />
      <rect x="29" y="29" width="22" height="22" rx="2" class="step-top" />
      <path d="M40 7v16M40 57v16M7 40h16M57 40h16" class="stairs" />
      <g class={first.class}>
        <first.Picture x={29.5} y={34} size={10.5} />
      </g>
      <g class={second.class}>
        <second.Picture x={40} y={34} size={10.5} />
      </g>
    </g>
  );
}

export function Wonder({ center }: { center: At }): JSX.Element {
  const [x, y] = [(center.column + 0.5) * SIDE, (center.row + 0.5) * SIDE];
  return (
    <g class="wonder">
      <path d={outline(cross(center), SPACE, 3, 8)} class="wonder-base" />
      <path d={outline(cross(center), SPACE, 8, 5)} class="wonder-step" />
      <g transform={`translate(${x} ${y})`}>
        {[22, 16, 10].map((radius) => (
          <circle key={radius} r={radius} />
        ))}
        <path d="M0-6 1.8-1.9 6.3-1.5 2.9 1.5 4 6 0 3.6-4 6-2.9 1.5-6.3-1.5-1.8-1.9z" class="wonder-star" />
        <path d="M-54 0h26M28 0h26M0-54v26M0 28v26" class="wonder-way" />
      </g>
    </g>
  );
}

/** Two rings: this tile joins two kingdoms. */
export function UnificationMarker(): JSX.Element {
  return (
    <g class="unification">
      <rect x="2" y="2" width="36" height="36" rx="5" />
      <circle cx="15" cy="20" r="9" />
      <circle cx="25" cy="20" r="9" />
    </g>
  );
}
