import type { tigris } from "@shedu/client";
import type { At, Measure } from "../../boards/outline";

export const ROWS = 11;
export const COLUMNS = 16;
/** The side of a space in the drawing. */
export const SIDE = 40;

export const SPACE: Measure = { width: SIDE, height: SIDE };

/** As the service calls it: A1 is the north-west corner. */
export function spaceName({ row, column }: At): string {
  return `${String.fromCharCode(65 + column)}${row + 1}`;
}

export function spaceKey({ row, column }: At): string {
  return `space:${row},${column}`;
}

export const SPACES: readonly At[] = Array.from({ length: ROWS * COLUMNS }, (_, index) => ({
  row: Math.floor(index / COLUMNS),
  column: index % COLUMNS,
}));

export function square(corner: At): At[] {
  const { row, column } = corner;
  return [corner, { row, column: column + 1 }, { row: row + 1, column }, { row: row + 1, column: column + 1 }];
}

export function cross(center: At): At[] {
  const { row, column } = center;
  return [
    center,
    { row: row - 1, column },
    { row: row + 1, column },
    { row, column: column - 1 },
    { row, column: column + 1 },
  ];
}

/** Only those that are set. */
export function places(...spaces: (tigris.Space | undefined)[]): At[] {
  return spaces.filter((space) => space !== undefined);
}
