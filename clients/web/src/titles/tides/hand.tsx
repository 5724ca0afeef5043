import { tides } from "@shedu/client";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
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

function Sealed({ card, say }: { card: tides.Card; say: Say }): JSX.Element {
  return (
    <div
      class="tide-sealed"
      aria-label={say("board.tides.sealed", "Chosen, face down: {name}", { name: cardName(card, say) })}
      role="img"
    >
      <Face card={card} say={say}>
        <span class="seal">{say("board.tides.chosen", "chosen")}</span>
      </Face>
    </div>
  );
}

/** The hand with the card that was chosen from it, which stays where it was. */
function useCardsInPlace(hand: readonly tides.Card[], sealed: tides.Card | undefined): readonly tides.Card[] {
  const last = useRef<readonly tides.Card[]>([]);
  const all = sealed === undefined ? hand : [sealed, ...hand];
  const stays = all.length === last.current.length && all.every((card) => last.current.includes(card));
  if (!stays) last.current = all;
  return last.current;
}

/** The player's hand. */
export function Hand({ view, targets, say }: HandProps): JSX.Element | null {
  const sealed = view.chosenCard ?? view.chosenRelic?.relic;
  const inPlace = useCardsInPlace(view.hand, sealed);
  if (view.seat === undefined || view.phase === tides.Phase.FINISHED) return null;
  const relics = view.phase === tides.Phase.CHOOSING_RELICS && !view.chosenRelic;
  const played = relics ? (view.seats[view.seat]?.played ?? []) : [];
  const heading = relics
    ? say("board.tides.relic_heading", "Keep one card as a relic, remove another")
    : say("board.tides.hand_heading", "Your hand");
  return (
    <section class="dock tide-hand" aria-label={heading}>
      <h3>{heading}</h3>
      <div class="tide-cards">
        {played.map((card) => (
          <Kept key={card} card={card} targets={targets} say={say} />
        ))}
        {inPlace.map((card) =>
          card === sealed ? (
            <Sealed key={card} card={card} say={say} />
          ) : (
            <Held key={card} card={card} targets={targets} say={say} />
          ),
        )}
      </div>
    </section>
  );
}
