import { tides } from "@shedu/client";
import type { Teaching } from "../../teaching/teaching";
import { SuitGlyph } from "./card";
import { PRINTS } from "./card_data";
import { Scene } from "./scene";
import "../../art/boards.css";
import "./tides.css";

const { Card, Suit } = tides;

const SUITS: Record<tides.Suit, string> = {
  [Suit.UNSPECIFIED]: "none",
  [Suit.PALACE]: "palace",
  [Suit.LIBRARY]: "library",
  [Suit.GARDEN]: "garden",
  [Suit.TEMPLE]: "temple",
  [Suit.STRONGHOLD]: "stronghold",
};

/** A card by its suit; the button that keeps one, by what a relic is. */
function aboutOf(target: string): readonly string[] {
  const [kind, card] = target.split(":");
  if (kind === "relic") return ["relic"];
  return kind === "card" ? [SUITS[PRINTS[Number(card) as tides.Card].suit]] : [];
}

export const teaching: Teaching = {
  legend: [
    ["palace", <SuitGlyph suit={Suit.PALACE} />],
    ["library", <SuitGlyph suit={Suit.LIBRARY} />],
    ["garden", <SuitGlyph suit={Suit.GARDEN} />],
    ["temple", <SuitGlyph suit={Suit.TEMPLE} />],
    ["stronghold", <SuitGlyph suit={Suit.STRONGHOLD} />],
    ["none", <SuitGlyph suit={Suit.UNSPECIFIED} />],
    ["relic", <Scene card={Card.SKY_PILLARS} suit={Suit.PALACE} />],
  ],
  about: aboutOf,
  chapters: [
    ["aim", ["TT-1", "TT-5", "TT-8", "TT-9"]],
    ["round", ["TT-2", "TT-3", "TT-4", "TT-6", "TT-7"]],
    ["scoring", ["TT-10", "TT-11", "TT-12", "TT-13", "TT-14"]],
  ],
  texts: {
    en: () => import("./teaching_en.json"),
    es: () => import("./teaching_es.json"),
    pt: () => import("./teaching_pt.json"),
  },
};
