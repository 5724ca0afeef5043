import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Targets } from "../targets";
import { type At, COLUMNS, ROWS, SIDE, spaceKey, SPACES } from "./spaces";

interface CellsProps {
  targets: Targets;
  labels: ReadonlyMap<string, string>;
  /** Where what was pointed at in the hand could go. */
  hints: ReadonlySet<string>;
  tell(label: string): void;
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -COLUMNS],
  End: [0, COLUMNS],
  PageUp: [-ROWS, 0],
  PageDown: [ROWS, 0],
};

function within(value: number, size: number): number {
  return Math.max(0, Math.min(size - 1, value));
}

function moved({ row, column }: At, [down, right]: readonly [number, number]): At {
  return { row: within(row + down, ROWS), column: within(column + right, COLUMNS) };
}

function lampKind(key: string, targets: Targets, hints: ReadonlySet<string>): string | undefined {
  if (targets.picked(key)) return "is-picked";
  if (targets.lit(key)) return "is-lit";
  return hints.has(key) ? "is-hint" : undefined;
}

/** What lights up: a dot on free spaces, a frame around what lies on the others. */
export function Lamps({ targets, hints, occupied }: Omit<CellsProps, "labels" | "tell"> & { occupied: ReadonlySet<string> }): JSX.Element {
  return (
    <g aria-hidden="true">
      {SPACES.map((at) => {
        const key = spaceKey(at);
        const kind = lampKind(key, targets, hints);
        const over = occupied.has(key);
        return kind && (
          <g key={key} class={`lamp ${kind}${over ? " is-over" : ""}`} transform={`translate(${at.column * SIDE} ${at.row * SIDE})`}>
            <rect x="2.5" y="2.5" width="35" height="35" rx="5" />
            {!over && <circle cx="20" cy="20" r="5" />}
          </g>
        );
      })}
    </g>
  );
}

/** Every space as something to point at. One of them is in the order of tabs; the arrows lead to the others. */
export function Cells({ targets, labels, hints, tell }: CellsProps): JSX.Element {
  const [stop, setStop] = useState(spaceKey({ row: 0, column: 0 }));
  const group = useRef<SVGGElement>(null);

  function pressed(event: KeyboardEvent, at: At): void {
    const key = spaceKey(at);
    const step = STEPS[event.key];
    if (step) group.current?.querySelector<SVGElement>(`[data-key="${spaceKey(moved(at, step))}"]`)?.focus();
    else if (event.key === "Enter" || event.key === " ") targets.point(key, labels.get(key) ?? key);
    else return;
    event.preventDefault();
  }

  return (
    <g ref={group}>
      {SPACES.map((at) => {
        const key = spaceKey(at);
        const label = labels.get(key) ?? key;
        return (
          <rect
            key={key}
            class="cell"
            role="button"
            data-key={key}
            tabIndex={key === stop ? 0 : -1}
            aria-label={label}
            aria-disabled={lampKind(key, targets, hints) === undefined}
            x={at.column * SIDE}
            y={at.row * SIDE}
            width={SIDE}
            height={SIDE}
            onClick={() => targets.point(key, label)}
            onKeyDown={(event) => pressed(event, at)}
            onFocus={() => {
              setStop(key);
              tell(label);
            }}
            onPointerEnter={() => tell(label)}
          />
        );
      })}
    </g>
  );
}
