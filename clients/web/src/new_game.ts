import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ForkPolicy, type Joined, OptionsSchema, RevealPolicy, TimeoutPolicy, type Title, Visibility } from "@shedu/client";
import { clockOf, type ClockChoice } from "./components/clock_field";
import type { OptionValues } from "./components/option_fields";
import { openPlan, type Plan } from "./components/seat_fields";
import { SPECTATORS, type SpectatorsChoice } from "./components/spectators_field";
import { joinGame, storeInvite, storeSpectatorToken } from "./join";
import { prefer } from "./preferences";
import { go } from "./router";
import { server } from "./server";

/** What the creator of a game may choose. */
export interface NewGame {
  name: string;
  plan: Plan;
  pace: ClockChoice;
  onTimeout: TimeoutPolicy;
  watching: SpectatorsChoice;
  visibility: Visibility;
  reveal: RevealPolicy;
  /** When the players may have sandboxes, and hints from them. */
  forks: ForkPolicy;
  options: OptionValues;
}

export function defaultGame(title: Title, name: string): NewGame {
  return {
    name,
    plan: openPlan(title),
    pace: "none",
    onTimeout: TimeoutPolicy.TAKE_OVER,
    watching: "public",
    visibility: Visibility.UNLISTED,
    reveal: RevealPolicy.FULL,
    forks: ForkPolicy.ANY_TIME,
    options: {},
  };
}

/** As few players as the title allows, all but the first of them the default bot. */
export function gameWithBots(title: Title, name: string): NewGame {
  const level = title.bots.find((bot) => bot.default)?.level ?? title.bots[0]?.level ?? "";
  return { ...defaultGame(title, name), plan: openPlan(title).map((_, seat) => (seat === 0 ? "" : level)) };
}

/** A first game: against the weakest bot. */
export function guidedGame(title: Title, name: string): NewGame {
  const level = title.bots[0]?.level ?? "";
  return { ...defaultGame(title, name), plan: openPlan(title).map((_, seat) => (seat === 0 ? "" : level)) };
}

/** Creates the game, joins it and opens its page. */
export async function startGame(title: Title, wishes: NewGame): Promise<void> {
  const { game } = await openGame(title, wishes);
  go(`/games/${game.gameId}`);
}

/** Creates the game and joins it. */
export async function openGame(title: Title, wishes: NewGame): Promise<Joined> {
  prefer({ name: wishes.name });
  const { game, inviteCode, spectatorToken } = await server.create({
    title: title.title,
    seatCount: wishes.plan.length,
    ...(wishes.plan.some(Boolean) ? { seats: wishes.plan.map((botLevel) => ({ botLevel })) } : {}),
    ...clockOf(wishes.pace, wishes.onTimeout),
    ...(wishes.watching === "public" ? {} : { spectators: SPECTATORS[wishes.watching] }),
    visibility: wishes.visibility,
    reveal: wishes.reveal,
    forks: wishes.forks,
    options: fromJson(OptionsSchema, { [title.title]: wishes.options as JsonValue }),
  });
  if (!game) throw new Error("the server's answer lacks the game");
  storeInvite(game.gameId, inviteCode);
  storeSpectatorToken(game.gameId, spectatorToken);
  return joinGame(game.gameId, { displayName: wishes.name, inviteCode });
}
