// Runs the scenarios with the compiled TypeScript client: node run.mjs <client> <address> <scenarios>.
// Prints a line of JSON for each scenario: what each step showed or how it failed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [client, address, scenarios] = process.argv.slice(2);
const shedu = await import(pathToFileURL(client).href);
const { fromJson, toJson } = await import(
  pathToFileURL(createRequire(client).resolve("@bufbuild/protobuf").replace("commonjs", "esm")).href
);
const server = new shedu.Shedu(address);
const json = (name, message) => toJson(shedu[`${name}Schema`], message);
const read = (name, value) => fromJson(shedu[`${name}Schema`], value);

const CALLS = {
  titles: async () => ({ titles: (await server.titles()).map((title) => json("Title", title)) }),
  create: async ({ body }) => json("CreateGameResponse", await server.create(read("CreateGameRequest", body))),
  join: async ({ game, body }) => {
    const { gameId, ...wishes } = read("JoinGameRequest", { gameId: game, ...body });
    const joined = await server.join(gameId, { ...wishes, requestId: crypto.randomUUID() });
    return json("JoinGameResponse", { $typeName: "shedu.v1.JoinGameResponse", ...joined });
  },
  view: async ({ table, body }) => {
    const { version, asSeat } = read("GetViewRequest", body);
    return json("View", await table.view({ ...(version && { version }), ...(asSeat !== undefined && { asSeat }) }));
  },
  legalActions: async ({ table }) => {
    const { actions, decision, version } = await table.legalActions();
    const answer = { $typeName: "shedu.v1.ListLegalActionsResponse", actions, decision, version, nextPageToken: "" };
    return json("ListLegalActionsResponse", answer);
  },
  play: async ({ table, body }) => {
    const { action, decisionId, expectedVersion, validateOnly, requestId } = read("PlayActionRequest", body);
    const options = { decisionId, validateOnly, ...(expectedVersion && { expectedVersion }), ...(requestId && { requestId }) };
    return json("PlayActionResponse", await table.play(action, options));
  },
  events: async ({ table, body }) => {
    const { afterVersion } = read("ListEventsRequest", body);
    return { events: (await table.events({ afterVersion })).map((event) => json("Event", event)) };
  },
  fairness: async ({ table }) => ({ fairness: json("Fairness", await table.fairness()) }),
  start: async ({ table }) => ({ game: json("Game", await table.start()) }),
  leave: async ({ table }) => ({ game: json("Game", await table.leave()) }),
  watch,
  playOut,
};

/** All that is told until the stream has caught up. */
async function watch({ table, body }) {
  const { afterVersion } = read("WatchGameRequest", body);
  const told = { kinds: [], versions: [] };
  for await (const update of table.watch(afterVersion === undefined ? {} : { afterVersion })) {
    told.kinds.push(update.kind);
    if (update.kind === "happened") told.versions.push(...update.events.map((event) => String(event.version)));
    if (update.kind === "caughtUp") return told;
  }
  return told;
}

/** Every seat answers with the first legal action, in turn, until nothing is asked any more. */
async function playOut({ game, seats }) {
  const tables = seats.map((token) => server.table(game, token));
  for (let answers = 0, idle = 0; ; ) {
    const table = tables[(answers + idle) % tables.length];
    const { decision, actions } = await table.legalActions();
    if (!decision && ++idle >= tables.length) return { answers, game: json("Game", await table.game()) };
    if (!decision) continue;
    await table.play(actions[0].action, { decisionId: decision.decisionId });
    answers++;
    idle = 0;
  }
}

function look(value, path) {
  if (path.length === 0) return value ?? null;
  const [name, ...rest] = path;
  if (name === "*") return (value ?? []).map((item) => look(item, rest));
  return value === null || value === undefined ? null : look(value[name], rest);
}

function filled(value, kept) {
  if (typeof value === "string" && value.startsWith("$")) return kept[value.slice(1)];
  if (Array.isArray(value)) return value.map((item) => filled(item, kept));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part, kept)]));
}

function failure(problem) {
  const error = shedu.SheduError.from(problem);
  const code = shedu.Code[error.code].replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return {
    code,
    reason: error.reason,
    rule: error.rule ?? null,
    fields: error.fieldViolations.map((violation) => violation.field),
    missed: error.missed?.events.map((event) => String(event.version)) ?? null,
  };
}

async function run(step, kept) {
  const given = filled(step, kept);
  const table = given.game && server.table(given.game, given.as);
  try {
    const answer = await CALLS[given.call]({ ...given, body: given.with ?? {}, table });
    for (const [name, path] of Object.entries(step.keep ?? {})) kept[name] = look(answer, path.split("."));
    return Object.fromEntries(Object.keys(step.shows ?? {}).map((path) => [path, look(answer, path.split("."))]));
  } catch (problem) {
    if (problem instanceof TypeError) throw problem;
    return failure(problem);
  }
}

for (const { name, steps } of JSON.parse(readFileSync(scenarios, "utf-8"))) {
  const kept = {};
  const shown = [];
  for (const step of steps) shown.push(await run(step, kept));
  console.log(JSON.stringify({ [name]: shown }));
}
