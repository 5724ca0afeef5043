import { tides } from "@shedu/client";
import type { JSX } from "preact";
import { SeatMark } from "../../art/seat_marks";
import { nameOf, type Say } from "../../boards/seat_name";
import { Backs, cardLabel, Face, SuitGlyph } from "./card";
import { suitName } from "./card_data";

interface KingdomProps {
  view: tides.View;
  seat: number;
  names: readonly string[];
  fresh: ReadonlySet<tides.Card>;
  say: Say;
}

function Suits({ score, say }: { score: tides.Score; say: Say }): JSX.Element {
  return (
    <ul class="suits">
      {score.suits.map(({ suit, printed, counted }) => (
        <li key={suit} class={counted ? "" : "none"} data-tip={suitName(suit, say)}>
          <SuitGlyph suit={suit} />
          <span class="unshown">{suitName(suit, say)}</span>
          <span class="tally">
            {counted === printed ? null : <span class="printed">{printed}→</span>}
            {counted}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Totals({ own, over, say }: { own: tides.SeatView; over: boolean; say: Say }): JSX.Element {
  return (
    <p class="tide-totals">
      <span class={`tide-now${over ? " gone" : ""}`}>
        {say("board.tides.now", "Now")} <b>{own.standing?.points ?? 0}</b>
      </span>
      {[0, 1, 2].map((round) => (
        <span key={round} class="tide-round">
          {say("board.tides.round_short", "R{round}", { round: String(round + 1) })} <b>{own.roundPoints[round] ?? "–"}</b>
        </span>
      ))}
      <span class="tide-total">
        {say("board.tides.total", "Total")} <b>{own.total}</b>
      </span>
    </p>
  );
}

function Waiting({
  view,
  own,
  seat,
  say,
}: {
  view: tides.View;
  own: tides.SeatView;
  seat: number;
  say: Say;
}): JSX.Element {
  const hidden = seat === view.seat ? 0 : own.handSize;
  return (
    <div class="tide-waiting">
      {hidden > 0 && (
        <Backs
          count={hidden}
          label={say("board.tides.hand_size", "cards in hand: {count}", { count: String(hidden) })}
        />
      )}
      {own.hasChosen && <span class="chosen-mark">{say("board.tides.has_chosen", "has chosen")}</span>}
    </div>
  );
}

/** The cards of one seat, with the points that each scores now. */
export function Kingdom({ view, seat, names, fresh, say }: KingdomProps): JSX.Element | null {
  const own = view.seats[seat];
  if (!own) return null;
  const points = new Map(own.standing?.cards.map(({ card, points: earned }) => [card, earned]));
  const laid = [...own.relics, ...own.played];
  return (
    <section
      class="slab kingdom"
      aria-label={say("board.tides.kingdom_of", "Kingdom of {name}", { name: nameOf(names, seat) })}
    >
      <header>
        <SeatMark seat={seat} name={nameOf(names, seat)} />
        {own.standing && <Suits score={own.standing} say={say} />}
        <Waiting view={view} own={own} seat={seat} say={say} />
        <Totals own={own} over={view.phase === tides.Phase.FINISHED} say={say} />
      </header>
      <ul class={`tide-cards slots-${4 + Math.max(1, view.round)}`}>
        {laid.map((card) => (
          // Each round has other places, so that relics are laid anew.
          <li key={own.relics.includes(card) ? `relic ${card} ${view.round}` : card} data-key={`card:${card}`} data-tip={cardLabel(card, say)}>
            <Face
              card={card}
              say={say}
              points={points.get(card)}
              relic={own.relics.includes(card)}
              fresh={fresh.has(card)}
            />
          </li>
        ))}
        {laid.length === 0 && <li class="empty-land">{say("board.tides.empty", "No cards yet")}</li>}
      </ul>
    </section>
  );
}
