// Plays a game of Tides with openapi-fetch and the types that openapi-typescript makes.
import createClient from "openapi-fetch";
import type { paths } from "./schema";

declare const process: { env: Record<string, string> };

const client = createClient<paths>({ baseUrl: process.env.SHEDU });

async function play(title: string): Promise<void> {
  const { data: created } = await client.POST("/v1/games", { body: { title } });
  const path = { gameId: created!.game.gameId };
  const tokens: string[] = [];
  for (const displayName of ["Ann", "Bob"]) {
    const joined = await client.POST("/v1/games/{gameId}:join", { params: { path }, body: { displayName } });
    tokens.push(joined.data!.seatToken);
  }
  let rounds = 0;
  for (;;) {
    const view = (await client.GET("/v1/games/{gameId}/view", { params: { path } })).data!.view!;
    if (view.decisions.length === 0) {
      console.log(JSON.stringify([rounds, view.game!.outcome!.scores.length]));
      return;
    }
    const headers = { Authorization: `Bearer ${tokens[view.decisions[0]!.seat]}` };
    const legal = await client.GET("/v1/games/{gameId}/legalActions", { params: { path }, headers });
    const body = { decisionId: legal.data!.decision!.decisionId, action: legal.data!.actions[0]!.action };
    const played = await client.POST("/v1/games/{gameId}:play", { params: { path }, headers, body });
    for (const event of played.data!.events) {
      if ("tides" in event && "roundScored" in event.tides) rounds += 1;
    }
  }
}

play("tides");
