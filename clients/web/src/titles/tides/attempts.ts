import { tides } from "@shedu/client";
import type { AttemptOf } from "../../boards/targets";
import { PRINTS } from "./card_data";

const CARDS: readonly tides.Card[] = Object.keys(PRINTS).map(Number);

export const attemptOf: AttemptOf = (key, { picked }) => {
  const [what, which] = key.split(":");
  const card: tides.Card = Number(which);
  const other = CARDS.find((one) => picked(`${what === "relic" ? "removed" : "relic"}:${one}`));
  if (what === "card") return { title: { case: "tides", value: { kind: { case: "chooseCard", value: { card } } } } };
  if (other === undefined) return undefined;
  const value = what === "relic" ? { relic: card, removed: other } : { relic: other, removed: card };
  return { title: { case: "tides", value: { kind: { case: "chooseRelic", value } } } };
};
