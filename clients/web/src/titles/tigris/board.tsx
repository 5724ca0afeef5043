import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { tigris } from "@shedu/client";
import type { AsideProps, Board, BoardProps } from "../../board";
import "../../art/boards.css";
import "./spheres.css";
import "./tigris.css";
import { useStableNames } from "../../player_names";
import { useTargets } from "../../boards/targets";
import { ConflictPanel } from "./conflict";
import { confirmation } from "./confirmation";
import { keysOf } from "./keys";
import { KingdomList } from "./kingdoms";
import { RiverMap } from "./map";
import { attemptOf } from "./attempts";
import { Players, Supply } from "./players";
import { Tray } from "./tray";
import { breakdown, describe, points, tigrisView } from "./board_text";
import { sentence } from "./events";

function Table({ title, ...props }: BoardProps & { title: tigris.View }): JSX.Element {
  const { happened, recent, say } = props;
  const names = useStableNames(props.names);
  const keys = useMemo(() => keysOf(title), [title]);
  const targets = useTargets(props, keys, attemptOf);
  const shared = { view: title, names, say };
  return (
    <>
      <div class="stage">
        {title.board && <RiverMap {...shared} board={title.board} happened={happened} recent={recent} targets={targets} />}
        <ConflictPanel {...shared} targets={targets} />
      </div>
      {title.seat !== undefined && title.ended === undefined && (
        <Tray view={title} seat={title.seat} targets={targets} say={say} />
      )}
    </>
  );
}

function Aside({ view, names, say }: AsideProps): JSX.Element | null {
  const title = tigrisView(view);
  if (!title) return null;
  const shared = { view: title, names, say };
  return (
    <div class="tigris">
      <Players {...shared} />
      <Supply {...shared} />
      <KingdomList {...shared} />
    </div>
  );
}

function Tigris(props: BoardProps): JSX.Element {
  const title = tigrisView(props.view);
  return <div class="board tigris">{title && <Table {...props} title={title} />}</div>;
}

export const board: Board = { Component: Tigris, Aside, confirmation, describe, sentence, points, breakdown };
