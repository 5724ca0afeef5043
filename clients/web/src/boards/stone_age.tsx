import type { Event, stoneAge } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Board, BoardProps } from "../board";
import "../art/boards.css";
import "../art/stone_age.css";
import "../art/stone_age_scenes.css";
import { Answers } from "./stone_age/answers";
import { DicePanel } from "./stone_age/dice";
import { sentence } from "./stone_age/events";
import { Grounds } from "./stone_age/grounds";
import { keysOf } from "./stone_age/keys";
import { Cards, Tiles } from "./stone_age/market";
import { meant } from "./stone_age/meant";
import { Tribes } from "./stone_age/players";
import { breakdown, describe, stoneAgeView } from "./stone_age/words";
import { useTargets } from "./targets";

/** The places on which something happened last. */
function freshOf(happened: readonly Event[]): ReadonlySet<stoneAge.Place> {
  const places = happened.flatMap(({ kind }) => {
    const event = kind.case === "stoneAge" ? kind.value.kind : undefined;
    return event?.case === "peoplePlaced" || event?.case === "peopleReturned" ? [event.value.place] : [];
  });
  return new Set(places);
}

function Table({ title, ...props }: BoardProps & { title: stoneAge.View }): JSX.Element {
  const { names, choices, happened, say } = props;
  const targets = useTargets(props, keysOf, meant);
  const fresh = useMemo(() => freshOf(happened), [happened]);
  const shared = { view: title, names, targets, fresh, say };
  return (
    <div class="stone-table">
      <div class="stone-main">
        <DicePanel key={title.told} view={title} names={names} targets={targets} say={say} />
        {title.seat !== undefined && (
          <Answers
            key={`answers ${title.told}`}
            view={title}
            seat={title.seat}
            choices={choices}
            targets={targets}
            say={say}
          />
        )}
        <Grounds {...shared} />
        <Cards {...shared} />
        <Tiles {...shared} />
      </div>
      <aside>
        <Tribes view={title} names={names} say={say} />
      </aside>
    </div>
  );
}

function StoneAge(props: BoardProps): JSX.Element {
  const title = stoneAgeView(props.view);
  return <div class="board stone-age">{title && <Table {...props} title={title} />}</div>;
}

export const board: Board = { Component: StoneAge, describe, sentence, breakdown };
