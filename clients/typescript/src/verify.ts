// Checks the luck of a finished game with only WebCrypto. See message Fairness in game.proto.

const text = (words: string) => new TextEncoder().encode(words);

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const secret = await crypto.subtle.importKey("raw", joined(key), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", secret, joined(message)));
}

/** Returns the commitment that a game publishes before anyone joins. */
export async function commitment(gameId: string, seed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const bound = joined(text(`shedu:commitment:v1:${gameId}:`), seed);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bound));
}

/** The key of every draw: the seed, bound to the client seeds in seat order, empty for a seat without one. */
export async function luckKey(seed: Uint8Array, clientSeeds: Uint8Array[]): Promise<Uint8Array> {
  if (clientSeeds.every((part) => part.length === 0)) return seed;
  const given = clientSeeds.flatMap((part) => [Uint8Array.of(part.length), part]);
  return hmac(seed, joined(text("shedu:luck:v1:"), ...given));
}

/** The luck of one call after `position` events of the title. */
export class Draws {
  /** The number of draws so far. */
  taken = 0;
  private readonly key: Uint8Array;
  private readonly position: number | bigint;

  constructor(key: Uint8Array, position: number | bigint) {
    this.key = key;
    this.position = position;
  }

  async below(bound: bigint): Promise<bigint> {
    for (;;) {
      const block = await hmac(this.key, text(`shedu:draw:v1:${this.position}:${this.taken++}`));
      const number = new DataView(block.buffer).getBigUint64(0);
      if (number < ((1n << 64n) / bound) * bound) return number % bound;
    }
  }

  async roll(dice: number, sides: number): Promise<number[]> {
    const faces: number[] = [];
    while (faces.length < dice) faces.push(1 + Number(await this.below(BigInt(sides))));
    return faces;
  }

  async draw<T>(bag: readonly T[], count: number): Promise<T[]> {
    const rest = [...bag];
    const drawn: T[] = [];
    while (drawn.length < count) drawn.push(...rest.splice(Number(await this.below(BigInt(rest.length))), 1));
    return drawn;
  }
}
