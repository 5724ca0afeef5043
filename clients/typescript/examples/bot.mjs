// A bot that takes the action in the middle. It plays all games it is invited to, SHEDU_GAMES in all.
import { Shedu } from "@shedu/client";

const decide = (view, decision, actions) => actions[Math.floor(actions.length / 2)];
const patience = { firstMilliseconds: 100, longestMilliseconds: 2000, attempts: 150 };
const shedu = new Shedu(process.env.SHEDU_URL, { identity: process.env.SHEDU_TOKEN, patience });
const report = { games: 0, wins: 0, decisions: 0, failures: 0, late: 0, lost: 0 };

async function answer({ gameId }, { decisionId }) {
  const table = shedu.table(gameId);
  const { decision, actions } = await table.legalActions();
  if (decision?.decisionId !== decisionId) return;
  await table.play(decide(await table.view(), decision, actions).action, { decisionId });
  report.decisions++;
}

for await (const { item } of shedu.inbox({ patience })) {
  if (item?.kind.case === "invited") await shedu.join(item.gameId, { seat: item.seat });
  if (item?.kind.case === "decision") await answer(item, item.kind.value);
  if (item?.kind.case !== "finished") continue;
  const { ranks } = item.kind.value.outcome;
  if (ranks[item.seat] === 1) report.wins += 1 / ranks.filter((rank) => rank === 1).length;
  if (++report.games === Number(process.env.SHEDU_GAMES)) break;
}
console.log(JSON.stringify(report));
