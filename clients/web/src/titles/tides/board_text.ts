import type { Event, tides, View } from "@shedu/client";
import type { Board } from "../../board";
import { nameOf, type Say } from "../../boards/seat_name";
import { cardName } from "./card_names";
import { suitName } from "./card_data";

export function tidesView(view: View): tides.View | undefined {
  return view.title.case === "tides" ? view.title.value : undefined;
}

function cardNames(cards: readonly tides.Card[], say: Say): string {
  return cards.map((card) => cardName(card, say)).join(", ") || say("board.tides.none", "none");
}

function describeSeat(seat: tides.SeatView, name: string, say: Say): string {
  const suits = (seat.standing?.suits ?? []).map(({ suit, counted }) => `${suitName(suit, say)} ${counted}`).join(", ");
  return say(
    "board.tides.describe_seat",
    "{name}: relics {relics}; played {played}; suits {suits}; worth {points} now, {total} from earlier rounds; cards in hand {hand}.",
    {
      name,
      relics: cardNames(seat.relics, say),
      played: cardNames(seat.played, say),
      suits,
      points: String(seat.standing?.points ?? 0),
      total: String(seat.total),
      hand: String(seat.handSize),
    },
  );
}

export const describe: Board["describe"] = (whole, names, say) => {
  const view = tidesView(whole);
  if (!view) return "";
  const round = say("board.tides.describe_round", "Round {round}; cards in the pile {pile}; removed: {removed}.", {
    round: String(view.round),
    pile: String(view.pileSize),
    removed: cardNames(view.removed, say),
  });
  const seats = view.seats.map((seat, index) => describeSeat(seat, nameOf(names, index), say));
  const hand = say("board.tides.describe_hand", "Your hand: {cards}.", { cards: cardNames(view.hand, say) });
  return [round, ...seats, ...(view.seat === undefined ? [] : [hand])].join("\n");
};

function perSeat(names: readonly string[], values: readonly string[]): string {
  return values.map((value, seat) => `${nameOf(names, seat)}: ${value}`).join("; ");
}

function told(event: tides.Event["kind"], names: readonly string[], say: Say): string | undefined {
  switch (event.case) {
    case "roundBegun":
      return say("board.tides.event.round_begun", "Round {round} begins.", { round: String(event.value.round) });
    case "cardsDrawn":
      return say("board.tides.event.cards_drawn", "{name} draws cards: {count}.", {
        name: nameOf(names, event.value.seat),
        count: String(event.value.hiddenCards ?? event.value.cards.length),
      });
    case "cardChosen":
      return say("board.tides.event.card_chosen", "{name} has chosen a card.", {
        name: nameOf(names, event.value.seat),
      });
    case "cardsRevealed":
      return say("board.tides.event.cards_revealed", "Revealed. {cards}.", {
        cards: perSeat(
          names,
          event.value.cards.map((card) => cardName(card, say)),
        ),
      });
    case "roundScored":
      return say("board.tides.event.round_scored", "Round {round} scores. {points}.", {
        round: String(event.value.round),
        points: perSeat(
          names,
          event.value.scores.map(({ points }) => String(points)),
        ),
      });
    case "relicChosen":
      return say("board.tides.event.relic_chosen", "{name} has chosen a relic.", {
        name: nameOf(names, event.value.seat),
      });
    case "relicsRevealed":
      return say("board.tides.event.relics_revealed", "Relics stay. {relics}. Removed from the game: {removed}.", {
        relics: perSeat(
          names,
          event.value.relics.map((card) => cardName(card, say)),
        ),
        removed: cardNames(event.value.removed, say),
      });
    case "gameEnded":
      return say("board.tides.event.game_ended", "The game is over. {totals}.", {
        totals: perSeat(names, event.value.totals.map(String)),
      });
    default:
      return undefined;
  }
}

export const sentence: Board["sentence"] = (event: Event, names, say) =>
  event.kind.case === "tides" ? told(event.kind.value.kind, names, say) : undefined;

/** What a player chooses in secret, which the sentences of the log leave out. */
export const advice: NonNullable<Board["advice"]> = ([first], _names, say) => {
  const event = first?.kind.case === "tides" ? first.kind.value.kind : undefined;
  if (event?.case === "cardChosen" && event.value.card !== undefined)
    return say("board.tides.advice.card", "choose {card}.", { card: cardName(event.value.card, say) });
  if (event?.case !== "relicChosen" || event.value.relic === undefined || event.value.removed === undefined) return undefined;
  const [relic, removed] = [cardName(event.value.relic, say), cardName(event.value.removed, say)];
  return say("board.tides.advice.relic", "keep {relic}, remove {removed}.", { relic, removed });
};

export const points: NonNullable<Board["points"]> = (view, say) => ({
  what: say("board.tides.total", "Total"),
  bySeat: tidesView(view)?.seats.map(({ total }) => total) ?? [],
});

export const breakdown: Board["breakdown"] = (whole, names, say) => {
  const view = tidesView(whole);
  const rounds = view?.scored ?? [];
  const columns = rounds.map(({ round }) => say("board.tides.round", "Round {round}", { round: String(round) }));
  const rows = (view?.seats ?? []).map((seat, index) => ({
    name: nameOf(names, index),
    cells: [...rounds.map(({ scores }) => String(scores[index]?.points ?? 0)), String(seat.total)],
  }));
  return { columns: [...columns, say("board.tides.total", "Total")], rows };
};
