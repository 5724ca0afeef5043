import { stoneAge } from "@shedu/client";
import type { JSX } from "preact";
import { Person } from "./people";
import { nameOf, type Say } from "../../boards/seat_name";
import { TargetButton } from "../../boards/target_button";
import type { Targets } from "../../boards/targets";
import { DIVISORS, goodName, PICTURES } from "./goods";
import { GROUNDS, placeKey, placeName, VILLAGE, yieldOf } from "./places";
import type { RollAtPlace, Rolls } from "./rolls";
import { PlaceScene } from "./scenes";
import { Die } from "./goods_art";

export interface GroundProps {
  view: stoneAge.View;
  names: readonly string[];
  targets: Targets;
  fresh: ReadonlySet<stoneAge.Place>;
  /** The seat that has just placed people, by place. */
  arrivals: ReadonlyMap<stoneAge.Place, number>;
  rolls: Rolls;
  say: Say;
}

/** The dice of a roll, where they were rolled. */
function RolledHere({ roll }: { roll: RollAtPlace }): JSX.Element {
  return (
    <span class={`rolled-here${roll.isNew ? " tumbling" : ""}`} aria-hidden="true">
      <span class="dice">
        {roll.faces.map((face, index) => (
          <Die key={index} face={face} />
        ))}
      </span>
      {roll.result || "\u00a0"}
    </span>
  );
}

export function placeView(view: stoneAge.View, place: stoneAge.Place): stoneAge.PlaceView | undefined {
  return view.places.find((other) => other.place === place);
}

/** Who stands there, one after the other. */
function figures(people: readonly number[]): number[] {
  return people.flatMap((count, seat) => Array.from({ length: count }, () => seat));
}

export function peopleText(people: readonly number[], names: readonly string[], say: Say): string {
  const some = people.flatMap((count, seat) => (count ? [`${nameOf(names, seat)} ${count}`] : []));
  return some.join(", ") || say("board.stone_age.nobody", "nobody");
}

/** The rings of a place, with the people that stand in them; those of the seat that has just placed some drop in. */
export function Rings({ place, arrived }: { place: stoneAge.PlaceView; arrived: number | undefined }): JSX.Element {
  const standing = figures(place.people);
  const size = Math.max(standing.length, place.capacity ?? 0);
  return (
    <span class="rings" aria-hidden="true">
      {Array.from({ length: size }, (_, index) => (
        <svg key={index} class="ring" viewBox="0 0 28 28">
          {place.capacity !== undefined && <circle cx="14" cy="14" r="12" />}
          {standing[index] !== undefined && (
            <g class={standing[index] === arrived ? "drop" : ""}>
              <Person seat={standing[index]} x={3} y={3} size={22} />
            </g>
          )}
        </svg>
      ))}
    </span>
  );
}

function Ground({
  place,
  view,
  names,
  targets,
  fresh,
  arrivals,
  rolls,
  say,
}: GroundProps & { place: stoneAge.Place }): JSX.Element | null {
  const seen = placeView(view, place);
  if (!seen) return null;
  const roll = rolls.get(place);
  const good = yieldOf(place);
  const Picture = good && PICTURES[good];
  const name = placeName(place, say);
  const what = good ? `${name} (${goodName(good, say)})` : name;
  const label = say("board.stone_age.place_label", "{place}: {people}", {
    place: what,
    people: peopleText(seen.people, names, say),
  });
  return (
    <TargetButton
      drawn
      targets={targets}
      name={placeKey(place)}
      label={label}
      class={`ground${fresh.has(place) ? " just" : ""}`}
    >
      <PlaceScene place={place} />
      <span class="ground-name">
        {name}
        {good && Picture && (
          <span class="yield">
            ÷{DIVISORS[good]}
            <span class={`good-${good}`}>
              <Picture />
            </span>
          </span>
        )}
      </span>
      <Rings place={seen} arrived={arrivals.get(place)} />
      {roll && <RolledHere key={roll.faces.join()} roll={roll} />}
    </TargetButton>
  );
}

/** The hunting grounds, the four sources, and the village. */
export function PlacesMap(props: GroundProps): JSX.Element {
  const { say } = props;
  return (
    <section class="slab" aria-label={say("board.stone_age.places", "Places")}>
      <div class="grounds">
        {[...GROUNDS, ...VILLAGE].map((place) => (
          <Ground key={place} {...props} place={place} />
        ))}
      </div>
    </section>
  );
}
