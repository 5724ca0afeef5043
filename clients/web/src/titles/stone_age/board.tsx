import type { Event, stoneAge } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { AsideProps, Board, BoardProps } from "../../board";
import "../../art/boards.css";
import "./stone_age.css";
import "./stone_age_layout.css";
import "./stone_age_scenes.css";
import { Answers } from "./answers";
import { DicePanel } from "./dice";
import { caption, sentence } from "./events";
import { rollsOf } from "./rolls";
import { PlacesMap } from "./map";
import { confirmation } from "./confirmation";
import { keysOf } from "./keys";
import { Cards, Tiles } from "./market";
import { attemptOf } from "./attempts";
import { Tribes } from "./players";
import { breakdown, describe, points, stoneAgeView } from "./board_text";
import { useTargets } from "../../boards/targets";

/** The places on which something happened last. */
function freshOf(happened: readonly Event[]): ReadonlySet<stoneAge.Place> {
  const places = happened.flatMap(({ kind }) => {
    const event = kind.case === "stoneAge" ? kind.value.kind : undefined;
    return event?.case === "peoplePlaced" || event?.case === "peopleReturned" ? [event.value.place] : [];
  });
  return new Set(places);
}

/** The seat that placed people in these events, by place. */
function arrivalsOf(happened: readonly Event[]): ReadonlyMap<stoneAge.Place, number> {
  const arrivals = happened.flatMap(({ kind }) => {
    const event = kind.case === "stoneAge" ? kind.value.kind : undefined;
    return event?.case === "peoplePlaced" ? [[event.value.place, event.value.seat] as const] : [];
  });
  return new Map(arrivals);
}

function Table({ title, ...props }: BoardProps & { title: stoneAge.View }): JSX.Element {
  const { names, choices, happened, recent, say } = props;
  const targets = useTargets(props, keysOf, attemptOf);
  const fresh = useMemo(() => freshOf(recent), [recent]);
  const arrivals = useMemo(() => arrivalsOf(happened), [happened]);
  const rolls = useMemo(() => rollsOf(recent, happened), [recent, happened]);
  const shared = { view: title, names, targets, fresh, arrivals, rolls, say };
  return (
    <>
      <div class="stage">
        <PlacesMap {...shared} />
        <Cards {...shared} />
        <Tiles {...shared} />
        <DicePanel key={title.told} view={title} names={names} targets={targets} say={say} />
      </div>
      <div class="dock">
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
      </div>
    </>
  );
}

function Aside({ view, names, say }: AsideProps): JSX.Element | null {
  const title = stoneAgeView(view);
  return title ? (
    <div class="stone-age">
      <Tribes view={title} names={names} say={say} />
    </div>
  ) : null;
}

function StoneAge(props: BoardProps): JSX.Element {
  const title = stoneAgeView(props.view);
  return <div class="board stone-age">{title && <Table {...props} title={title} />}</div>;
}

export const board: Board = { Component: StoneAge, Aside, confirmation, caption, describe, sentence, points, breakdown };
