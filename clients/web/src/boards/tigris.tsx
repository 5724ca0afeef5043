import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { tigris } from "@shedu/client";
import type { Board, BoardProps } from "../board";
import "../art/boards.css";
import "../art/spheres.css";
import "../art/tigris.css";
import { useSteady } from "../names";
import { useTargets } from "./targets";
import { ConflictPanel } from "./tigris/conflict";
import { keysOf } from "./tigris/keys";
import { KingdomList } from "./tigris/kingdoms";
import { RiverMap } from "./tigris/map";
import { meant } from "./tigris/meant";
import { Players, Supply } from "./tigris/players";
import { Tray } from "./tigris/tray";
import { breakdown, describe, tigrisView } from "./tigris/words";
import { sentence } from "./tigris/events";

function Table({ title, ...props }: BoardProps & { title: tigris.View }): JSX.Element {
  const { happened, say } = props;
  const names = useSteady(props.names);
  const tongue = say("board.tigris.board", "Board");
  const keys = useMemo(() => keysOf(title), [title]);
  const targets = useTargets(props, keys, meant);
  const shared = { view: title, names, say };
  const aside = useMemo(
    () => (
      <aside>
        <Players {...shared} />
        <KingdomList {...shared} />
        <Supply {...shared} />
      </aside>
    ),
    [title, names, tongue],
  );
  return (
    <div class="tigris-table">
      <div class="tigris-main">
        <ConflictPanel {...shared} targets={targets} />
        {title.board && <RiverMap {...shared} board={title.board} happened={happened} targets={targets} />}
        {title.seat !== undefined && title.ended === undefined && (
          <Tray view={title} seat={title.seat} targets={targets} say={say} />
        )}
      </div>
      {aside}
    </div>
  );
}

function Tigris(props: BoardProps): JSX.Element {
  const title = tigrisView(props.view);
  return <div class="board tigris">{title && <Table {...props} title={title} />}</div>;
}

export const board: Board = { Component: Tigris, describe, sentence, breakdown };
