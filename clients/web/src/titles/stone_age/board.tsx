import type { Event, stoneAge } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Board, BoardProps } from "../../board";
import "../../art/boards.css";
import "./stone_age.css";
import "./stone_age_scenes.css";
import { Answers } from "./answers";
import { DicePanel } from "./dice";
import { sentence } from "./events";
import { PlacesMap } from "./map";
import { keysOf } from "./keys";
import { Cards, Tiles } from "./market";
import { attemptOf } from "./attempts";
import { Tribes } from "./players";
import { breakdown, describe, stoneAgeView } from "./board_text";
import { useTargets } from "../../boards/targets";

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
  const targets = useTargets(props, keysOf, attemptOf);
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
        <PlacesMap {...shared} />
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
