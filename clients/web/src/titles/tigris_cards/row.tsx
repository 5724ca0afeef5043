import type { tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Weaves } from "../tigris/weaves";
import type { BoardProps } from "../../board";
import { outline, type At } from "../../boards/outline";
import { labelOf, Roving, type Cell } from "../../boards/roving_focus";
import type { Say } from "../../boards/seat_name";
import { Zoom } from "../../boards/zoom";
import type { Targets } from "../../boards/targets";
import { FaceDownCard, TableCard } from "./cards";
import { COLOURS } from "./colours";
import { CARD, cellsOf, corner, PITCH, placeKey, STEP } from "./places";
import { freshOf } from "./marks";

const HALF = { width: PITCH / 2, height: STEP };

function at({ column, row }: { column: number; row?: number | undefined }): string {
  const { x, y } = corner({ column, row });
  return `translate(${x} ${y})`;
}

/** Half columns, so that a link can lie above two of them. */
function spacesOf(kingdom: tigrisCards.Kingdom, table: tigrisCards.Table): At[] {
  const { firstColumn, lastColumn } = kingdom;
  const columns = table.columns
    .slice(firstColumn, lastColumn + 1)
    .flatMap(({ cards }, index) =>
      cards.flatMap((_, row) => [0, 1].map((half) => ({ row: row + 1, column: (firstColumn + index) * 2 + half }))),
    );
  const links = table.links
    .slice(firstColumn, lastColumn)
    .flatMap(({ link }, index) =>
      link ? [1, 2].map((half) => ({ row: 0, column: (firstColumn + index) * 2 + half })) : [],
    );
  return [...columns, ...links];
}

function Tints({ view, table }: { view: tigrisCards.View; table: tigrisCards.Table }): JSX.Element {
  return (
    <g>
      {view.kingdoms.map((kingdom) => (
        <path
          key={kingdom.firstColumn}
          d={outline(spacesOf(kingdom, table), HALF, 0.5, 8)}
          class={`kingdom-tint tint-${(kingdom.firstColumn % 8) + 1}`}
        />
      ))}
    </g>
  );
}

/** The strength of leaders in their kingdoms, by column. */
function strengthIn(view: tigrisCards.View, column: number, card: tigrisCards.Card): number | undefined {
  const kingdom = view.kingdoms.find(({ firstColumn, lastColumn }) => firstColumn <= column && column <= lastColumn);
  return card.leader && kingdom?.strengths[COLOURS.findIndex((colour) => colour === card.leader?.colour)];
}

function Cards({
  view,
  table,
  marked,
  fresh,
}: {
  view: tigrisCards.View;
  table: tigrisCards.Table;
  marked: ReadonlySet<string>;
  fresh: ReadonlySet<string>;
}): JSX.Element {
  const draw = (card: tigrisCards.Card, column: number, row?: number): JSX.Element => {
    const key = placeKey(row === undefined ? { column } : { column, row });
    return (
      <g key={key} transform={at({ column, row })}>
        <g class={fresh.has(key) ? "drop" : ""}>
          <TableCard card={card} strength={strengthIn(view, column, card)} />
        </g>
        {marked.has(key) && <rect x="-1.5" y="-1.5" width="83" height="53" rx="7" class="fresh-frame" />}
      </g>
    );
  };
  return (
    <g>
      {table.columns.map(({ cards }, column) => cards.map((card, row) => draw(card, column, row)))}
      {table.links.map(({ link }, gap) =>
        link ? draw(link, gap) : <rect key={gap} transform={at({ column: gap })} {...CARD} rx="6" class="gap-frame" />,
      )}
      {view.faceDown && (
        <g transform={at({ column: view.faceDown.gap })}>
          <FaceDownCard colour={view.faceDown.colour} />
        </g>
      )}
    </g>
  );
}

function Highlights({ cells, targets }: { cells: readonly Cell[]; targets: Targets }): JSX.Element {
  return (
    <g aria-hidden="true">
      {cells
        .filter(({ key }) => targets.lit(key))
        .map(({ key, x, y, width, height }) => {
          const free = key.startsWith("column:");
          const kind = targets.picked(key) ? "is-picked" : "is-lit";
          return (
            <g key={key} class={`lamp ${kind}${free ? "" : " is-over"}${targets.narrowed ? "" : " is-soft"}`}>
              <rect x={x + 1} y={y + 1} width={width - 2} height={height - 2} rx="6" />
              {free && <circle cx={x + width / 2} cy={y + height / 2} r="7" />}
            </g>
          );
        })}
    </g>
  );
}

interface RowProps {
  view: tigrisCards.View;
  table: tigrisCards.Table;
  names: readonly string[];
  happened: BoardProps["happened"];
  recent: BoardProps["recent"];
  targets: Targets;
  say: Say;
}

/** The row of columns with links, ships and leaders. */
export function CardRow({ view, table, names, happened, recent, targets, say }: RowProps): JSX.Element {
  const [told, tell] = useState("");
  const title = say("board.tigris_cards.table", "Columns and links");
  const marked = useMemo(() => freshOf(recent, table), [recent, table]);
  const fresh = useMemo(() => freshOf(happened, table), [happened, table]);
  const drawing = useMemo(
    () => (
      <>
        <Weaves />
        <Tints view={view} table={table} />
        <Cards view={view} table={table} marked={marked} fresh={fresh} />
      </>
    ),
    [view, marked, fresh],
  );
  const cells = useMemo(() => cellsOf(view, names, say), [view, names, title]);
  const rows = Math.max(
    4,
    ...table.columns.map(({ cards }, column) => cards.length + (view.openColumns.includes(column) ? 1 : 0)),
  );
  const frame = `-3 -2 ${8 * PITCH + 6} ${(rows + 1) * STEP + 6}`;
  return (
    <figure class="card-row">
      <Zoom>
        <div class="stack">
        <svg viewBox={frame} aria-hidden="true">
          {drawing}
        </svg>
        <svg viewBox={frame} class="over" role="group" aria-label={title}>
          <Highlights cells={cells} targets={targets} />
          <Roving cells={cells} targets={targets} tell={tell} />
        </svg>
        </div>
      </Zoom>
      <figcaption class="board-note" aria-hidden="true">
        {labelOf(cells, told)}
      </figcaption>
    </figure>
  );
}
