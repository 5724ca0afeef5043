import type { Event, View } from "@shedu/client";
import type { JSX } from "preact";
import type { Board, BoardProps, Say } from "../board";

/** Any title as an outline of its view: what a client shows that knows nothing of the title. */
export const plain: Board = {
  Component: ({ view }: BoardProps): JSX.Element => (
    <div class="plain-board">{view.title.value ? <Outline value={view.title.value} /> : null}</div>
  ),
  describe: (view) => lines(view.title.value).join("\n"),
  sentence: (event) => nameOf(event),
  breakdown(view: View, names: readonly string[], say: Say) {
    const outcome = view.game?.outcome;
    const rows = names.map((name, seat) => ({ name, cells: [String(outcome?.scores[seat] ?? "")] }));
    return { columns: [say("web.finished.points", "Points")], rows };
  },
};

function nameOf(event: Event): string | undefined {
  const happening = event.kind.value as { kind?: { case?: string } } | undefined;
  return happening?.kind?.case?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function Outline({ value }: { value: unknown }): JSX.Element {
  if (Array.isArray(value)) return <ol>{value.map((item) => <li><Outline value={item} /></li>)}</ol>;
  if (typeof value !== "object" || value === null) return <span>{String(value)}</span>;
  return (
    <dl>
      {entries(value).map(([name, part]) => (
        <div>
          <dt>{name}</dt>
          <dd><Outline value={part} /></dd>
        </div>
      ))}
    </dl>
  );
}

function entries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([name, part]) => !name.startsWith("$") && part !== undefined);
}

function lines(value: unknown, indent = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${indent}${String(value)}`];
  return entries(value).flatMap(([name, part]) =>
    typeof part === "object" && part !== null
      ? [`${indent}${name}:`, ...lines(part, `${indent}  `)]
      : [`${indent}${name}: ${String(part)}`],
  );
}
