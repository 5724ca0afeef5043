// Prints what clients/typescript/src/verify.ts, compiled to the first argument, makes of the questions of the vectors.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [compiled, vectors] = process.argv.slice(2);
const { commitment, Draws, luckKey } = await import(pathToFileURL(compiled).href);
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (data) => Buffer.from(data).toString("hex");
const asked = JSON.parse(readFileSync(vectors, "utf-8"));

for (const vector of asked.commitments) vector.commitment = hex(await commitment(vector.gameId, bytes(vector.seed)));
for (const vector of asked.keys) vector.key = hex(await luckKey(bytes(vector.seed), vector.clientSeeds.map(bytes)));
for (const vector of asked.choices) {
  const draws = new Draws(bytes(vector.key), vector.position);
  vector.choices = [];
  for (const bound of vector.bounds) vector.choices.push(String(await draws.below(BigInt(bound))));
  vector.taken = draws.taken;
}
for (const vector of asked.rolls)
  vector.faces = await new Draws(bytes(vector.key), vector.position).roll(vector.dice, vector.sides);
for (const vector of asked.draws)
  vector.drawn = await new Draws(bytes(vector.key), vector.position).draw(vector.bag, vector.count);
console.log(JSON.stringify(asked));
