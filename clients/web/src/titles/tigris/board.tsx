import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { tigris } from "@shedu/client";
import type { Board, BoardProps } from "../../board";
import "../../art/boards.css";
import "./spheres.css";
import "./tigris.css";
import { useStableNames } from "../../player_names";
import { useTargets } from "../../boards/targets";
import { ConflictPanel } from "./conflict";
import { keysOf } from "./keys";
import { KingdomList } from "./kingdoms";
import { RiverMap } from "./map";
import { attemptOf } from "./attempts";
import { Players, Supply } from "./players";
import { Tray } from "./tray";
import { breakdown, describe, tigrisView } from "./board_text";
import { sentence } from "./events";

function Table({ title, ...props }: BoardProps & { title: tigris.View }): JSX.Element {
  const { happened, say } = props;
  const names = useStableNames(props.names);
  const tongue = say("board.tigris.board", "Board");
  const keys = useMemo(() => keysOf(title), [title]);
  const targets = useTargets(props, keys, attemptOf);
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
