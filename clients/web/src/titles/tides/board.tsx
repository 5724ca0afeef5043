import { tides } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Board, BoardProps, Choice } from "../../board";
import "../../art/boards.css";
import "./tides.css";
import { useTargets } from "../../boards/targets";
import { Hand } from "./hand";
import { Kingdom } from "./kingdom";
import { attemptOf } from "./attempts";
import { Table } from "./table";
import { advice, breakdown, describe, points, sentence, tidesView } from "./board_text";

function keysOf({ legal }: Choice): readonly string[] {
  const title = legal.action?.title;
  if (title?.case !== "tides") return [];
  const { kind } = title.value;
  switch (kind.case) {
    case "chooseCard":
      return [`card:${kind.value.card}`];
    case "chooseRelic":
      return [`relic:${kind.value.relic}`, `removed:${kind.value.removed}`];
    default:
      return [];
  }
}

function revealed(happened: BoardProps["happened"]): ReadonlySet<tides.Card> {
  const cards = happened.flatMap(({ kind }) => {
    const event = kind.case === "tides" ? kind.value.kind : undefined;
    return event?.case === "cardsRevealed" ? event.value.cards : [];
  });
  return new Set(cards);
}

function Tides(props: BoardProps): JSX.Element {
  const { names, recent, say } = props;
  const view = tidesView(props.view);
  const targets = useTargets(props, keysOf, attemptOf);
  const fresh = useMemo(() => revealed(recent), [recent]);
  if (!view) return <div class="board tides" />;
  const near = view.seat ?? 0;
  return (
    <div class="board tides">
      <div class="stage">
        <Kingdom view={view} seat={1 - near} names={names} fresh={fresh} say={say} />
        <Table view={view} say={say} />
        <Kingdom view={view} seat={near} names={names} fresh={fresh} say={say} />
      </div>
      <Hand view={view} targets={targets} say={say} />
    </div>
  );
}

export const board: Board = { Component: Tides, advice, describe, sentence, points, breakdown };
