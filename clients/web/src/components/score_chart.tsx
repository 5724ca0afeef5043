import type { Event, View } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Board, Say } from "../board";
import { isBeginning } from "../event_facts";
import type { LiveGame } from "../live_game";
import { useSay } from "../translation";
import { ErrorMessage, Loading } from "./messages";
import { useRequest } from "./use_request";

/** So many positions of a game make its chart. */
const POSITIONS = 16;
const [WIDTH, HEIGHT, EDGE] = [300, 140, 22];

interface ScoreChartProps {
  live: LiveGame;
  board: Board;
  view: View;
  names: readonly string[];
  log: readonly Event[];
}

/** The points of every seat in the course of the game; nothing for a title that cannot tell them. */
export function ScoreChart(props: ScoreChartProps): JSX.Element | null {
  const say = useSay();
  const [isOpen, setOpen] = useState(false);
  if (!props.board.points || props.log.length === 0) return null;
  return (
    <details class="score-chart" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say("web.chart", "Course of the game")}</summary>
      {isOpen ? <Chart {...props} points={props.board.points} /> : null}
    </details>
  );
}

/** Turns from the first to the last, evenly spread. */
function versionsOf(log: readonly Event[]): readonly bigint[] {
  const turns = log.filter(isBeginning).map(({ version }) => version);
  const step = Math.max(1, (turns.length - 1) / (POSITIONS - 2));
  const count = Math.min(turns.length, POSITIONS - 1);
  const spread = Array.from({ length: count }, (_, index) => turns[Math.round(index * step)] ?? 0n);
  return [...new Set([...spread, log.at(-1)?.version ?? 0n])].filter((version) => version > 0n);
}

type Points = NonNullable<Board["points"]>;

/** The points of each seat at a version: what one view does not tell is asked of the views of the seats. */
async function pointsAt(version: bigint, { live, view, names }: ScoreChartProps, points: Points, say: Say, signal: AbortSignal): Promise<readonly number[]> {
  const seats = names.map((_, seat) => seat);
  const told = points(await live.table.view({ version, signal }), say).bySeat;
  if (view.version === version || told.every((value) => value !== undefined)) return told.map((value) => value ?? 0);
  const views = await Promise.all(seats.map((asSeat) => live.table.view({ version, asSeat, signal })));
  return views.map((seen, seat) => points(seen, say).bySeat[seat] ?? 0);
}

function Chart(props: ScoreChartProps & { points: Points }): JSX.Element {
  const say = useSay();
  const { answer, problem } = useRequest(
    async (signal) => {
      const courses: (readonly number[])[] = [];
      for (const version of versionsOf(props.log)) courses.push(await pointsAt(version, props, props.points, say, signal));
      return courses;
    },
    [props.live],
  );
  if (problem) return <ErrorMessage problem={problem} />;
  if (!answer) return <Loading />;
  return <Lines courses={answer} names={props.names} what={props.points(props.view, say).what} />;
}

/** A line for each seat, with the name and the last value at its end. */
function Lines({ courses, names, what }: { courses: readonly (readonly number[])[]; names: readonly string[]; what: string }): JSX.Element {
  const most = Math.max(1, ...courses.flat());
  const least = Math.min(0, ...courses.flat());
  const x = (index: number) => EDGE + (index * (WIDTH - 2 * EDGE)) / Math.max(1, courses.length - 1);
  const y = (value: number) => HEIGHT - EDGE - ((value - least) * (HEIGHT - 2 * EDGE)) / (most - least);
  const course = (seat: number) => courses.map((values) => values[seat] ?? 0);
  const words = names.map((name, seat) => `${name}: ${course(seat).join(", ")}`).join("; ");
  return (
    <figure>
      <figcaption>{what}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${what}. ${words}`}>
        {[least, most].map((value) => (
          <g key={value} class="scale">
            <path d={`M${EDGE} ${y(value)}H${WIDTH - EDGE}`} />
            <text x={EDGE - 4} y={y(value) + 4}>
              {value}
            </text>
          </g>
        ))}
        {names.map((_, seat) => (
          <polyline key={seat} class={`seat-${seat}`} points={course(seat).map((value, index) => `${x(index)},${y(value)}`).join(" ")} />
        ))}
      </svg>
      <ul>
        {names.map((name, seat) => (
          <li key={seat} class={`seat-${seat}`}>
            {name} <b>{course(seat).at(-1)}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}
