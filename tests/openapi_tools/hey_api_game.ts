// Plays a game of Tides with the functions that hey-api makes.
import { createGame, getView, joinGame, listLegalActions, playAction } from "./generated";
import { client } from "./generated/client.gen";

declare const process: { env: Record<string, string> };

client.setConfig({ baseUrl: process.env.SHEDU, throwOnError: true });

async function play(title: string): Promise<void> {
  const { data: created } = await createGame({ body: { title }, throwOnError: true });
  const path = { gameId: created.game.gameId };
  const tokens: string[] = [];
  for (const displayName of ["Ann", "Bob"]) {
    tokens.push((await joinGame({ path, body: { displayName }, throwOnError: true })).data.seatToken);
  }
  let rounds = 0;
  for (;;) {
    const view = (await getView({ path, throwOnError: true })).data.view!;
    if (view.decisions.length === 0) {
      console.log(JSON.stringify([rounds, view.game!.outcome!.scores.length]));
      return;
    }
    const headers = { Authorization: `Bearer ${tokens[view.decisions[0]!.seat]}` };
    const legal = (await listLegalActions({ path, headers, throwOnError: true })).data;
    const body = { decisionId: legal.decision!.decisionId, action: legal.actions[0]!.action };
    const played = await playAction({ path, headers, body, throwOnError: true });
    for (const event of played.data.events) {
      if ("tides" in event && "roundScored" in event.tides) rounds += 1;
    }
  }
}

play("tides");
