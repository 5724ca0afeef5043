import type { tides } from "@shedu/client";
import type { JSX } from "preact";
import type { Say } from "../../boards/seat_name";
import { cardLabel, SuitGlyph } from "./card";
import { PRINTS } from "./card_data";
import { cardName } from "./card_names";

function Removed({ cards, say }: { cards: readonly tides.Card[]; say: Say }): JSX.Element | null {
  if (cards.length === 0) return null;
  return (
    <span class="tide-removed">
      {say("board.tides.removed", "Removed")}
      {cards.map((card) => (
        <span key={card} class="tide-chip" data-tip={cardLabel(card, say)}>
          <SuitGlyph suit={PRINTS[card].suit} />
          <s>{cardName(card, say)}</s>
        </span>
      ))}
    </span>
  );
}

/** Round, pile and removed cards, between the kingdoms. */
export function Table({ view, say }: { view: tides.View; say: Say }): JSX.Element {
  return (
    <div class="tide-table">
      <ol
        class="tide-rounds"
        aria-label={say("board.tides.round_of", "Round {round} of 3", { round: String(view.round) })}
      >
        {[1, 2, 3].map((round) => (
          <li key={round} class={round === view.round ? "current" : round < view.round ? "past" : ""}>
            {round}
          </li>
        ))}
      </ol>
      <span>
        {say("board.tides.pile", "Pile")} <b class="tally">{view.pileSize}</b>
      </span>
      <Removed cards={view.removed} say={say} />
    </div>
  );
}
