// Calls a server that misbehaves, and real ones that refuse: node bad_input.mjs <client> <address> <expiring> <grpc port>.
// Prints for each case what the caller got, and how often it was asked of the server.
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [client, address, expiring, grpcAddress] = process.argv.slice(2);
const { Shedu, SheduError, Code } = await import(pathToFileURL(client).href);
const connectWeb = createRequire(client).resolve("@connectrpc/connect-web").replace("cjs", "esm");
const { createConnectTransport } = await import(pathToFileURL(connectWeb).href);

// Pages that came over http from another machine do not have it.
delete Object.getPrototypeOf(crypto).randomUUID;

const GAME = "a".repeat(20);
const PATIENCE = { firstMilliseconds: 1, longestMilliseconds: 50, attempts: 4 };
const text = new TextEncoder();
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const field = (number, bytes) => [number * 8 + 2, bytes.length, ...bytes];
const detail = (type, bytes) => ({ type: `google.rpc.${type}`, value: base64(bytes) });
const reason = (name) => detail("ErrorInfo", field(1, text.encode(name)));
const retryAfter = (nanoseconds) => detail("RetryInfo", field(1, [16, ...varint(nanoseconds)]));

function varint(number) {
  return number < 128 ? [number] : [(number % 128) + 128, ...varint(Math.floor(number / 128))];
}

const refused = (status, code, ...details) => Response.json({ code, message: "no", details }, { status });

/** A message of a stream, or its end. */
function frame(message, flags = 0) {
  const body = text.encode(JSON.stringify(message));
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, flags);
  head.setUint32(1, body.length);
  return Buffer.concat([Buffer.from(head.buffer), body]);
}

const stream = (...messages) =>
  new Response(Buffer.concat([...messages.map((each) => frame(each)), frame({}, 2)]), {
    headers: { "content-type": "application/connect+json" },
  });

/** A client of a server that answers in these ways, one after the other; the last one is repeated. */
function fake(...answers) {
  const asked = [];
  const fetch = async (_url, request) => {
    asked.push(request.body);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    return typeof answer === "function" ? answer(request) : answer.clone();
  };
  const transport = createConnectTransport({ baseUrl: "http://fake", useBinaryFormat: false, fetch });
  return { asked, shedu: new Shedu("http://fake", { transport, patience: PATIENCE, timeoutMilliseconds: 100 }) };
}

function real(server, token) {
  let asked = 0;
  const fetch = (url, request) => {
    asked++;
    return globalThis.fetch(url, request);
  };
  const transport = createConnectTransport({ baseUrl: server, useBinaryFormat: true, fetch });
  return { shedu: new Shedu(server, { transport, patience: PATIENCE, identity: token }), asked: () => asked };
}

async function failure(promise) {
  const error = await promise.then(
    () => undefined,
    (problem) => problem,
  );
  if (!(error instanceof SheduError)) return { untyped: String(error) };
  return { code: Code[error.code], reason: error.reason, rule: error.rule ?? null, message: error.message };
}

async function tries(...answers) {
  return triedWithin(undefined, ...answers);
}

async function triedWithin(totalMilliseconds, ...answers) {
  const { shedu, asked } = fake(...answers);
  const patience = { ...PATIENCE, totalMilliseconds };
  const error = await failure(shedu.table(GAME, "token").play({}, { decisionId: "d", patience }));
  const ids = new Set(asked.map((body) => JSON.parse(Buffer.from(body).toString()).requestId));
  return { ...error, asked: asked.length, requestIds: ids.size };
}

/** A stream that ends with an error. */
const ended = (code, ...details) =>
  new Response(frame({ error: { code, message: "no", details } }, 2), {
    headers: { "content-type": "application/connect+json" },
  });

async function watched(...answers) {
  const { shedu, asked } = fake(...answers);
  const told = { versions: [], kinds: [], asked: 0, status: null };
  const error = await failure(
    (async () => {
      for await (const update of shedu.table(GAME).watch({ afterVersion: 1n, patience: PATIENCE })) {
        if (update.kind !== "happened") continue;
        told.versions.push(...update.events.map((event) => Number(event.version)));
        told.kinds.push(...update.events.map((event) => event.title?.case ?? event.kind?.case ?? null));
        told.status = update.view.game?.status ?? null;
      }
    })(),
  );
  return { ...told, asked: asked.length, ...(error.untyped === "undefined" ? {} : error) };
}

const happened = (version, more = {}) => ({
  happened: { events: [{ version: String(version), ...more }], view: { version: String(version), game: { status: 99 } } },
});
const finished = { goAway: { version: "3", reason: "GO_AWAY_REASON_FINISHED" } };
const never = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** A new game with two seats, and its first decision. */
async function started(server) {
  const { shedu, asked } = real(server);
  const { game } = await shedu.create({ title: "tides" });
  const [ann, bob] = [await shedu.join(game.gameId), await shedu.join(game.gameId)];
  return { ann: ann.table, bob: bob.table, asked, ...(await ann.table.legalActions()) };
}

async function refusals() {
  const { ann, asked, decision, actions } = await started(address);
  const relic = { title: { case: "tides", value: { kind: { case: "chooseRelic", value: { relic: 1, removed: 2 } } } } };
  const { decisionId } = decision;
  let before = asked();
  const refusal = { ...(await failure(ann.play(relic, { decisionId }))), asked: asked() - before };
  await ann.play(actions[0].action, { decisionId });
  before = asked();
  const late = await ann.play(actions[1].action, { decisionId }).catch((problem) => problem);
  const stale = { reason: late.reason, isStale: late.isStale, missed: late.missed.events.length, asked: asked() - before };
  return { refusal, stale };
}

async function expired() {
  const { ann, asked } = await started(expiring);
  for (;;) {
    const before = asked();
    const error = await failure(ann.legalActions());
    if (error.code) return { ...error, asked: asked() - before };
    await sleep(100);
  }
}

async function wrongAddresses() {
  const grpc = real(grpcAddress);
  const port = { ...(await failure(grpc.shedu.titles())), asked: grpc.asked() };
  const word = real(address, "two words");
  const token = { ...(await failure(word.shedu.titles())), asked: word.asked() };
  const scheme = await failure((async () => new Shedu("ftp://host"))());
  return { port, token, scheme };
}

const ok = Response.json({ view: { version: "2" } });
const codes = {
  invalid_argument: 400, not_found: 404, permission_denied: 403, already_exists: 409, failed_precondition: 400,
  aborted: 409, out_of_range: 400, unimplemented: 501, data_loss: 500, unauthenticated: 401,
};
const once = {};
for (const [code, status] of Object.entries(codes)) once[code] = await tries(refused(status, code, reason("NEW_REASON")));

console.log(
  JSON.stringify({
    once,
    fault: await tries(refused(500, "internal", reason("INTERNAL"))),
    away: await tries(refused(503, "unavailable", reason("STORE_UNAVAILABLE")), refused(503, "unavailable"), ok),
    limited: await tries(refused(429, "resource_exhausted", reason("TOO_MUCH"), retryAfter(2e6)), ok),
    over_a_limit: await tries(refused(429, "resource_exhausted", reason("TOO_MUCH"))),
    beyond_patience: await triedWithin(1000, refused(429, "resource_exhausted", reason("TOO_MUCH"), retryAfter(2e9)), ok),
    slow: await tries(never),
    slow_once: await tries(never, ok),
    slow_in_all: await triedWithin(50, never),
    newer: await watched(stream(happened(2, { tides: {} }), { somethingNew: {} }, happened(3), finished)),
    cut: await watched(stream(happened(2)), stream(happened(2), happened(3), finished)),
    limited_stream: await watched(ended("resource_exhausted", reason("TOO_MUCH"), retryAfter(2e6)), stream(finished)),
    refused_stream: await watched(ended("resource_exhausted", reason("REQUEST_TOO_LARGE"))),
    gap: await watched(stream(happened(3), finished)),
    ...(await refusals()),
    expired: await expired(),
    ...(await wrongAddresses()),
  }),
);
