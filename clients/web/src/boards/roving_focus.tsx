import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Targets } from "./targets";

/** A rectangle of a drawing that can be chosen. */
export interface Cell {
  readonly key: string;
  readonly label: string;
  /** A short name that can be typed to move the focus there. */
  readonly name?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface RovingProps {
  cells: readonly Cell[];
  targets: Targets;
  /** Called with the key of the cell under the pointer or with the focus. */
  tell(key: string): void;
}

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The nearest cell in a direction; distance across the direction counts threefold. */
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

/** The current label of the cell with this key. */
export function labelOf(cells: readonly Cell[], told: string): string {
  return cells.find(({ key }) => key === told)?.label ?? "";
}

interface Drawn {
  cell: Cell;
  isLit: boolean;
  isStop: boolean;
  isProposed: boolean;
  rect: JSX.Element;
}

/** Memoized cell: of many cells few change at a click, and only those are rendered again. */
function useDrawn(): (cell: Cell, isLit: boolean, isStop: boolean, isProposed: boolean) => JSX.Element {
  const drawn = useRef(new Map<string, Drawn>());
  return (cell, isLit, isStop, isProposed) => {
    const before = drawn.current.get(cell.key);
    if (before?.cell === cell && before.isLit === isLit && before.isStop === isStop && before.isProposed === isProposed) return before.rect;
    const { key, label, name, x, y, width, height } = cell;
    const rect = (
      <rect
        key={key}
        class={`cell${isProposed ? " proposed" : ""}`}
        role="button"
        data-key={key}
        data-name={name}
        tabindex={isStop ? 0 : -1}
        aria-label={label}
        data-tip={label}
        aria-disabled={!isLit}
        x={x}
        y={y}
        width={width}
        height={height}
      />
    );
    drawn.current.set(key, { cell, isLit, isStop, isProposed, rect });
    return rect;
  };
}

/** Cells with a roving tabindex: one is in the tab order, and the arrow keys move to the others. */
export function Roving({ cells, targets, tell }: RovingProps): JSX.Element {
  const [stop, setStop] = useState("");
  const group = useRef<SVGGElement>(null);
  const draw = useDrawn();
  // Once a piece is chosen, the focus enters the board where the piece can go.
  const stays = cells.some(({ key }) => key === stop) && (!targets.narrowed || targets.lit(stop));
  const current = stays ? stop : (cells.find(({ key }) => targets.lit(key)) ?? cells[0])?.key;
  const cellOf = (event: Event) => cells.find(({ key }) => key === (event.target as SVGElement).dataset["key"]);

  function pressed(event: KeyboardEvent): void {
    const cell = cellOf(event);
    const step = STEPS[event.key];
    // Once a piece is chosen, the arrows go from one possible place to the next.
    const some = targets.narrowed ? cells.filter(({ key }) => targets.lit(key)) : cells;
    const next = step && cell && beside(some, cell, step);
    if (next) group.current?.querySelector<SVGElement>(`[data-key="${next.key}"]`)?.focus();
    else if (cell && (event.key === "Enter" || event.key === " ")) targets.point(cell.key, cell.label);
    else if (!step) return;
    event.preventDefault();
  }

  return (
    <g
      ref={group}
      onKeyDown={pressed}
      onClick={(event) => {
        const cell = cellOf(event);
        if (cell) targets.point(cell.key, cell.label);
      }}
      onFocusIn={(event) => {
        const cell = cellOf(event);
        if (!cell) return;
        setStop(cell.key);
        tell(cell.key);
      }}
      onPointerOver={(event) => {
        const cell = cellOf(event);
        if (!cell) return;
        tell(cell.key);
        if (event.pointerType !== "touch") targets.hover(cell.key, cell.label);
      }}
      onPointerOut={() => targets.hover("", "")}
    >
      {cells.map((cell) => draw(cell, targets.lit(cell.key), cell.key === current, targets.proposed(cell.key)))}
    </g>
  );
}
