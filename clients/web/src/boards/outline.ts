export interface At {
  readonly row: number;
  readonly column: number;
}

/** How wide and high a space is in the drawing. */
export interface Measure {
  width: number;
  height: number;
}

type Point = readonly [x: number, y: number];
type Edge = readonly [from: Point, to: Point];

/** The edges around a set of spaces, the inside always to the right. */
function edges(spaces: readonly At[]): Edge[] {
  const inside = new Set(spaces.map(({ row, column }) => `${row},${column}`));
  const open = (row: number, column: number): boolean => !inside.has(`${row},${column}`);
  return spaces.flatMap(({ row, column }) => {
    const [west, north, east, south] = [column, row, column + 1, row + 1];
    const around: Edge[] = [];
    if (open(row - 1, column))
      around.push([
        [west, north],
        [east, north],
      ]);
    if (open(row, column + 1))
      around.push([
        [east, north],
        [east, south],
      ]);
    if (open(row + 1, column))
      around.push([
        [east, south],
        [west, south],
      ]);
    if (open(row, column - 1))
      around.push([
        [west, south],
        [west, north],
      ]);
    return around;
  });
}

function direction([from, to]: Edge): Point {
  return [to[0] - from[0], to[1] - from[1]];
}

/** Where spaces touch only at a corner, turn right, so that each gets an outline of its own. */
function following(edge: Edge, left: Map<string, Edge[]>): Edge | undefined {
  const found = left.get(edge[1].join()) ?? [];
  const [dx, dy] = direction(edge);
  const next = found.find((other) => direction(other)[0] === -dy && direction(other)[1] === dx) ?? found[0];
  if (next)
    left.set(
      edge[1].join(),
      found.filter((other) => other !== next),
    );
  return next;
}

function loops(spaces: readonly At[]): Edge[][] {
  const left = new Map<string, Edge[]>();
  for (const edge of edges(spaces)) left.set(edge[0].join(), [...(left.get(edge[0].join()) ?? []), edge]);
  const found: Edge[][] = [];
  for (const [start] of [...left]) {
    for (let first = left.get(start)?.[0]; first; first = left.get(start)?.[0]) {
      left.set(start, (left.get(start) ?? []).slice(1));
      const loop = [first];
      for (let next = following(first, left); next; next = following(next, left)) loop.push(next);
      found.push(loop);
    }
  }
  return found;
}

function corners(loop: readonly Edge[], { width, height }: Measure, inset: number): Point[] {
  return loop.flatMap((edge, index): Point[] => {
    const before = direction(loop.at(index - 1) ?? edge);
    const after = direction(edge);
    if (before[0] === after[0] && before[1] === after[1]) return [];
    const [x, y] = edge[0];
    return [[x * width - (before[1] + after[1]) * inset, y * height + (before[0] + after[0]) * inset]];
  });
}

function toward([x, y]: Point, [toX, toY]: Point, distance: number): string {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const part = Math.min(distance, length / 2) / length;
  return `${(x + (toX - x) * part).toFixed(1)} ${(y + (toY - y) * part).toFixed(1)}`;
}

function rounded(points: readonly Point[], radius: number): string {
  const steps = points.map((point, index) => {
    const before = points.at(index - 1) ?? point;
    const after = points[(index + 1) % points.length] ?? point;
    return `${index ? "L" : "M"}${toward(point, before, radius)}Q${point.join(" ")} ${toward(point, after, radius)}`;
  });
  return `${steps.join("")}Z`;
}

/** The line around spaces as a path with round corners, drawn a little inside them. */
export function outline(spaces: readonly At[], measure: Measure, inset: number, radius: number): string {
  return loops(spaces)
    .map((loop) => rounded(corners(loop, measure, inset), radius))
    .join("");
}
