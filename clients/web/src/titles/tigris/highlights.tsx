import type { JSX } from "preact";
import type { Targets } from "../../boards/targets";
import { SIDE, spaceKey, SPACES } from "./spaces";

interface HighlightsProps {
  targets: Targets;
  /** Spaces where the piece chosen from the hand could go. */
  hints: ReadonlySet<string>;
  occupied: ReadonlySet<string>;
}

function kindOf(key: string, targets: Targets, hints: ReadonlySet<string>): string | undefined {
  if (targets.picked(key)) return "is-picked";
  if (targets.lit(key)) return "is-lit";
  return hints.has(key) ? "is-hint" : undefined;
}

/** Highlights the spaces that can be chosen: a dot on free spaces, a frame on occupied ones. */
export function Highlights({ targets, hints, occupied }: HighlightsProps): JSX.Element {
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
