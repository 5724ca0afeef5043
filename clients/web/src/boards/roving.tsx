import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Targets } from "./targets";

/** A part of a drawing that can be pointed at. */
export interface Cell {
  readonly key: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface RovingProps {
  cells: readonly Cell[];
  targets: Targets;
  /** Told the key of what is pointed at or has the focus. */
  tell(key: string): void;
}

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The nearest cell that way; a step aside counts threefold. */
function beside(cells: readonly Cell[], from: Cell, [right, down]: readonly [number, number]): Cell | undefined {
  let [found, least]: [Cell | undefined, number] = [undefined, Infinity];
  for (const cell of cells) {
    const across = cell.x + cell.width / 2 - from.x - from.width / 2;
    const below = cell.y + cell.height / 2 - from.y - from.height / 2;
    const ahead = across * right + below * down;
    const distance = ahead + 3 * (right ? Math.abs(below) : Math.abs(across));
    if (ahead > 1 && distance < least) [found, least] = [cell, distance];
  }
  return found;
}

/** What is told of the cell with this key, as things are now. */
export function labelOf(cells: readonly Cell[], told: string): string {
  return cells.find(({ key }) => key === told)?.label ?? "\u00a0";
}

/** Cells of which one is in the order of tabs; the arrows lead to the others. */
export function Roving({ cells, targets, tell }: RovingProps): JSX.Element {
  const [stop, setStop] = useState("");
  const group = useRef<SVGGElement>(null);
  const current = cells.some(({ key }) => key === stop)
    ? stop
    : (cells.find(({ key }) => targets.lit(key)) ?? cells[0])?.key;

  function pressed(event: KeyboardEvent, cell: Cell): void {
    const step = STEPS[event.key];
    const next = step && beside(cells, cell, step);
    if (next) group.current?.querySelector<SVGElement>(`[data-key="${next.key}"]`)?.focus();
    else if (event.key === "Enter" || event.key === " ") targets.point(cell.key, cell.label);
    else if (!step) return;
    event.preventDefault();
  }

  return (
    <g ref={group}>
      {cells.map((cell) => {
        const { key, label, x, y, width, height } = cell;
        return (
          <rect
            key={key}
            class="cell"
            role="button"
            data-key={key}
            tabindex={key === current ? 0 : -1}
            aria-label={label}
            aria-disabled={!targets.lit(key)}
            x={x}
            y={y}
            width={width}
            height={height}
            onClick={() => targets.point(key, label)}
            onKeyDown={(event) => pressed(event, cell)}
            onFocus={() => {
              setStop(key);
              tell(key);
            }}
            onPointerEnter={(event) => {
              tell(key);
              if (event.pointerType !== "touch") targets.hover(key, label);
            }}
            onPointerLeave={() => targets.hover("", "")}
          />
        );
      })}
    </g>
  );
}
