// Plays and watches over lines that lose replies and break off: node broken_lines.mjs <client> <address>.
// Prints how often each call was sent, with which request ids, and the versions that a watcher was told.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [client, address] = process.argv.slice(2);
const { Shedu, SheduError } = await import(pathToFileURL(client).href);
const connectWeb = createRequire(client).resolve("@connectrpc/connect-web").replace("cjs", "esm");
const { createConnectTransport } = await import(pathToFileURL(connectWeb).href);

const sent = { playAction: 0, streams: 0 };

/** Every reply to a move is lost once; every stream breaks off after a few thousand bytes. */
async function unreliable(url, request) {
  const response = await fetch(url, request);
  if (url.endsWith("/PlayAction") && ++sent.playAction % 2 === 1) throw new TypeError("the reply was lost");
  if (!url.endsWith("/WatchGame")) return response;
  sent.streams++;
  return new Response(brokenOff(response.body, 3_000), response);
}

function brokenOff(body, bytes) {
  let left = bytes;
  const cut = new TransformStream({
    transform(chunk, controller) {
      left -= chunk.length;
      controller.enqueue(chunk);
      if (left < 0) controller.error(new TypeError("the line broke"));
    },
  });
  return body.pipeThrough(cut);
}

const patience = { firstMilliseconds: 5, longestMilliseconds: 20, attempts: 6 };
const transport = createConnectTransport({ baseUrl: address, useBinaryFormat: true, fetch: unreliable });
const shedu = new Shedu(address, { transport, patience });
const { game } = await shedu.create({ title: "tides" });
const seats = [await shedu.join(game.gameId), await shedu.join(game.gameId)];

const versions = [];
const interruptions = { lost: 0, resumed: 0 };
async function watch() {
  for await (const update of shedu.table(game.gameId).watch({ afterVersion: 0n, patience })) {
    if (update.kind === "happened") versions.push(...update.events.map((event) => Number(event.version)));
    if (update.kind in interruptions) interruptions[update.kind]++;
  }
}

async function play() {
  let answers = 0;
  for (let idle = 0; idle < 2; ) {
    const { table } = seats[(answers + idle) % 2];
    const { decision, actions } = await table.legalActions();
    idle = decision ? 0 : idle + 1;
    if (!decision) continue;
    await table.play(actions[0].action, { decisionId: decision.decisionId });
    answers++;
  }
  return answers;
}

const [answers] = await Promise.all([play(), watch()]);
const unreachable = new Shedu("http://127.0.0.1:1", { patience });
const error = await unreachable.titles().catch((problem) => problem);
console.log(
  JSON.stringify({
    answers,
    sent,
    versions,
    interruptions,
    last: Number((await shedu.table(game.gameId).game()).version),
    away: { known: error instanceof SheduError, transient: error.isTransient, reason: error.reason },
  }),
);
