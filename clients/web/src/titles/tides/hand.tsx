import { tides } from "@shedu/client";
import type { JSX } from "preact";
import type { Say } from "../../boards/seat_name";
import { TargetButton } from "../../boards/target_button";
import type { Targets } from "../../boards/targets";
import { cardLabel, Face } from "./card";
import { cardName } from "./card_names";

interface HandProps {
  view: tides.View;
  targets: Targets;
  say: Say;
}

function Held({ card, targets, say }: { card: tides.Card; targets: Targets; say: Say }): JSX.Element {
  return (
    <TargetButton targets={targets} name={`card:${card}`} label={cardLabel(card, say)} class="tide-spot" wordy>
      <Face card={card} say={say} />
    </TargetButton>
  );
}

/** A card of this round, with buttons to keep it as a relic or to remove it. */
function Kept({ card, targets, say }: { card: tides.Card; targets: Targets; say: Say }): JSX.Element {
  const name = cardName(card, say);
  return (
    <div class="tide-keep">
      <Face card={card} say={say} />
      <TargetButton
        targets={targets}
        name={`relic:${card}`}
        class="offer"
        label={say("board.tides.keep_card", "Keep {name} as a relic", { name })}
      >
        {say("board.tides.keep", "Keep")}
      </TargetButton>
      <TargetButton
        targets={targets}
        name={`removed:${card}`}
        class="offer"
        label={say("board.tides.remove_card", "Remove {name} from the game", { name })}
      >
        {say("board.tides.remove", "Remove")}
      </TargetButton>
    </div>
  );
}

function Sealed({ view, say }: { view: tides.View; say: Say }): JSX.Element | null {
  const sealed = view.chosenCard ?? view.chosenRelic?.relic;
  if (sealed === undefined) return null;
  return (
    <div
      class="tide-sealed"
      aria-label={say("board.tides.sealed", "Chosen, face down: {name}", { name: cardName(sealed, say) })}
      role="img"
    >
      <Face card={sealed} say={say}>
        <span class="seal">{say("board.tides.chosen", "chosen")}</span>
      </Face>
    </div>
  );
}

/** The player's hand. */
export function Hand({ view, targets, say }: HandProps): JSX.Element | null {
  if (view.seat === undefined || view.phase === tides.Phase.FINISHED) return null;
  const relics = view.phase === tides.Phase.CHOOSING_RELICS && !view.chosenRelic;
  const played = relics ? (view.seats[view.seat]?.played ?? []) : [];
  const heading = relics
    ? say("board.tides.relic_heading", "Keep one card as a relic, remove another")
    : say("board.tides.hand_heading", "Your hand");
  return (
    <section class="slab tide-hand" aria-label={heading}>
      <h3>{heading}</h3>
      <div class="tide-cards">
        <Sealed view={view} say={say} />
        {played.map((card) => (
          <Kept key={card} card={card} targets={targets} say={say} />
        ))}
        {view.hand.map((card) => (
          <Held key={card} card={card} targets={targets} say={say} />
        ))}
      </div>
    </section>
  );
}
