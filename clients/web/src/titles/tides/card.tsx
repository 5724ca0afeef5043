import type { tides } from "@shedu/client";
import type { ComponentChildren, JSX } from "preact";
import type { Say } from "../../boards/seat_name";
import { effectText, PRINTS, suitClass, suitName, suitPicture, type Effect } from "./card_data";
import { cardName } from "./card_names";
import { Scene } from "./scene";

const SIGNS: Record<Effect["sign"], string> = {
  more: ">",
  each: "×",
  set: "×",
  all: "←",
  lacking: "× ∅",
  singles: "> 1",
  best: "> ★",
  ties: "=",
  doubles: "×2",
};

/** A card as text: its name, suit and effect. */
export function cardLabel(card: tides.Card, say: Say): string {
  const { suit, effect } = PRINTS[card];
  return say("board.tides.card_label", "{name}, {suit}: {effect}", {
    name: cardName(card, say),
    suit: suitName(suit, say),
    effect: effectText(effect, say),
  });
}

export function SuitGlyph({ suit }: { suit: tides.Suit }): JSX.Element {
  const Picture = suitPicture(suit);
  return (
    <span class={`suit ${suitClass(suit)}`}>
      <Picture />
    </span>
  );
}

function Formula({ effect }: { effect: Effect }): JSX.Element {
  return (
    <div class="formula" aria-hidden="true">
      {effect.points > 0 && <b>{effect.points}</b>}
      <span>{SIGNS[effect.sign]}</span>
      {effect.suits.map((suit) => (
        <SuitGlyph key={suit} suit={suit} />
      ))}
    </div>
  );
}

interface FaceProps {
  card: tides.Card;
  say: Say;
  /** The points it scores now; undefined for a card in hand. */
  points?: number | undefined;
  relic?: boolean;
  fresh?: boolean;
  children?: ComponentChildren;
}

/** The front of a card. */
export function Face({ card, say, points, relic = false, fresh = false, children }: FaceProps): JSX.Element {
  const { suit, effect } = PRINTS[card];
  const look = `tide-card ${suitClass(suit)}${relic ? " relic" : ""}${fresh ? " fresh just" : ""}`;
  return (
    <div class={look}>
      <div class="tide-top">
        <SuitGlyph suit={suit} />
        <span class="tide-name">{cardName(card, say)}</span>
      </div>
      <div class="tide-scene">
        <Scene card={card} suit={suit} />
        {points !== undefined && <span class={`earned${points ? "" : " none"}`}>{points}</span>}
        {relic && <span class="seal">{say("board.tides.relic", "relic")}</span>}
        {children}
      </div>
      <Formula effect={effect} />
      <p class="tide-effect">{effectText(effect, say)}</p>
    </div>
  );
}

/** Cards face down: the viewer knows only how many. */
export function Backs({ count, label }: { count: number; label: string }): JSX.Element {
  return (
    <div class="backs" role="img" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} class="back" />
      ))}
    </div>
  );
}
