import type { JSX } from "preact";
import type { Targets } from "../targets";
import { SIDE, spaceKey, SPACES } from "./spaces";

interface LampsProps {
  targets: Targets;
  /** Where what was pointed at in the hand could go. */
  hints: ReadonlySet<string>;
  occupied: ReadonlySet<string>;
}

function kindOf(key: string, targets: Targets, hints: ReadonlySet<string>): string | undefined {
  if (targets.picked(key)) return "is-picked";
  if (targets.lit(key)) return "is-lit";
  return hints.has(key) ? "is-hint" : undefined;
}

/** What lights up: a dot on free spaces, a frame around what lies on the others. */
export function Lamps({ targets, hints, occupied }: LampsProps): JSX.Element {
  return (
    <g aria-hidden="true">
      {SPACES.map((at) => {
        const key = spaceKey(at);
        const kind = kindOf(key, targets, hints);
        const over = occupied.has(key);
        return (
          kind && (
            <g
              key={key}
              class={`lamp ${kind}${over ? " is-over" : ""}`}
              transform={`translate(${at.column * SIDE} ${at.row * SIDE})`}
            >
              <rect x="2.5" y="2.5" width="35" height="35" rx="5" />
              {!over && <circle cx="20" cy="20" r="5" />}
            </g>
          )
        );
      })}
    </g>
  );
}
