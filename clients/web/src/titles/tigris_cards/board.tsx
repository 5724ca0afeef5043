import type { tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { AsideProps, Board, BoardProps } from "../../board";
import "../../art/boards.css";
import "../tigris/spheres.css";
import "../tigris/tigris.css";
import "./tigris_cards.css";
import { useStableNames } from "../../player_names";
import { useTargets } from "../../boards/targets";
import { ConflictPanel } from "./conflict";
import { sentence } from "./events";
import { confirmation } from "./confirmation";
import { keysOf } from "./keys";
import { attemptOf } from "./attempts";
import { Kingdoms, Players, Supply } from "./players";
import { CardRow } from "./row";
import { Tray } from "./tray";
import { breakdown, cardsView, describe, points } from "./board_text";

function Table({ title, ...props }: BoardProps & { title: tigrisCards.View }): JSX.Element {
  const { happened, recent, say } = props;
  const names = useStableNames(props.names);
  const keys = useMemo(() => keysOf(title), [title]);
  const targets = useTargets(props, keys, attemptOf);
  const shared = { view: title, names, say };
  const playing = title.ending === undefined;
  return (
    <>
      <div class="stage">
        {title.table && <CardRow {...shared} table={title.table} happened={happened} recent={recent} targets={targets} />}
        <ConflictPanel {...shared} targets={targets} />
      </div>
      {title.seat !== undefined && playing && <Tray view={title} seat={title.seat} targets={targets} say={say} />}
    </>
  );
}

function Aside({ view, names, say }: AsideProps): JSX.Element | null {
  const title = cardsView(view);
  if (!title) return null;
  const shared = { view: title, names, say };
  return (
    <div class="tigris tigris-cards">
      <Players {...shared} />
      <Supply {...shared} />
      <Kingdoms {...shared} />
    </div>
  );
}

function TigrisCards(props: BoardProps): JSX.Element {
  const title = cardsView(props.view);
  return <div class="board tigris tigris-cards">{title && <Table {...props} title={title} />}</div>;
}

export const board: Board = { Component: TigrisCards, Aside, confirmation, describe, sentence, points, breakdown };
