import type { tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Board, BoardProps } from "../board";
import "../art/boards.css";
import "../art/spheres.css";
import "../art/tigris.css";
import "../art/tigris_cards.css";
import { useSteady } from "../names";
import { useTargets } from "./targets";
import { ConflictPanel } from "./tigris_cards/conflict";
import { sentence } from "./tigris_cards/events";
import { keysOf } from "./tigris_cards/keys";
import { meant } from "./tigris_cards/meant";
import { Kingdoms, Players, Supply } from "./tigris_cards/players";
import { CardRow } from "./tigris_cards/row";
import { Tray } from "./tigris_cards/tray";
import { breakdown, cardsView, describe } from "./tigris_cards/words";

function Table({ title, ...props }: BoardProps & { title: tigrisCards.View }): JSX.Element {
  const { happened, say } = props;
  const names = useSteady(props.names);
  const keys = useMemo(() => keysOf(title), [title]);
  const targets = useTargets(props, keys, meant);
  const shared = { view: title, names, say };
  const playing = title.ending === undefined;
  return (
    <div class="tigris-table">
      <div class="tigris-main">
        <ConflictPanel {...shared} targets={targets} />
        {title.table && <CardRow {...shared} table={title.table} happened={happened} targets={targets} />}
        {title.seat !== undefined && playing && <Tray view={title} seat={title.seat} targets={targets} say={say} />}
      </div>
      <aside>
        <Players {...shared} />
        <Kingdoms {...shared} />
        <Supply {...shared} />
      </aside>
    </div>
  );
}

function TigrisCards(props: BoardProps): JSX.Element {
  const title = cardsView(props.view);
  return <div class="board tigris tigris-cards">{title && <Table {...props} title={title} />}</div>;
}

export const board: Board = { Component: TigrisCards, describe, sentence, breakdown };
