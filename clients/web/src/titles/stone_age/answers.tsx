import type { stoneAge } from "@shedu/client";
import type { JSX } from "preact";
import type { Choice } from "../../board";
import { Person } from "./people";
import type { Say } from "../../boards/seat_name";
import { Offer, Words } from "../../boards/target_button";
import type { Targets } from "../../boards/targets";
import { ResourcePicker } from "./resource_picker";
import { placeKey } from "./places";

interface AnswersProps {
  view: stoneAge.View;
  seat: number;
  choices: readonly Choice[];
  targets: Targets;
  say: Say;
}

/** How many people go to the place just pointed at. */
function HowMany({ view, seat, targets, say }: AnswersProps): JSX.Element | null {
  const place = view.places.find((other) => targets.picked(placeKey(other.place)));
  if (!place) return null;
  const most = Array.from({ length: 10 }, (_, index) => index + 1).findLast((count) => targets.known(`people:${count}`)) ?? 0;
  const counts = Array.from({ length: most }, (_, index) => index + 1);
  return (
    <div class="offers">
      {counts.map((count) => (
        <Offer
          drawn
          key={`${place.place} ${count}`}
          targets={targets}
          class={targets.lit(`people:${count}`) ? "" : "gone"}
          name={`people:${count}`}
          label={say("board.stone_age.put_people", "People to place: {count}", { count: String(count) })}
        >
          {count}
          <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
            <Person seat={seat} size={24} />
          </svg>
        </Offer>
      ))}
    </div>
  );
}

/** Choices that are not a place of the board: how many people, what to pay, or to decline. */
export function Answers(props: AnswersProps): JSX.Element | null {
  const { choices, targets, say } = props;
  if (choices.length === 0) return null;
  return (
    <div class="answers">
      <HowMany {...props} />
      <ResourcePicker {...props} kind="pay" title={say("board.stone_age.pay", "Pay")} />
      <ResourcePicker {...props} kind="feed" title={say("board.stone_age.feed", "Feed with resources")} />
      <ResourcePicker {...props} kind="take" title={say("board.stone_age.take", "Take with the card")} />
      <div class="offers">
        <Words targets={targets} name="decline" words={say("board.stone_age.decline", "Decline")} />
        <Words targets={targets} name="hungry" words={say("board.stone_age.go_hungry", "Go hungry")} />
      </div>
    </div>
  );
}
