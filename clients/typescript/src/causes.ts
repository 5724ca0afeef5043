// Reads why fetch failed. Only Node.js tells; a browser keeps it from pages.
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^HTTPParserError/,
    "this port does not speak HTTP/1.1: REST and Connect have another port than gRPC, by default 8080; " +
      "if it uses TLS, its address begins with https://",
  ],
  [/ ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, "the server does not use TLS: its address begins with http://"],
];

/** Says what to do about a port of another protocol, which no further attempt changes. */
export function adviceFor(problem: unknown): string | undefined {
  const found = causes(problem).map(({ name, code }) => `${name} ${code}`);
  return ADVICE.find(([sign]) => found.some((each) => sign.test(each)))?.[1];
}

/** Returns the message of the cause behind all others, such as "connect ECONNREFUSED 127.0.0.1:8080". */
export function deepestMessage(problem: unknown): string {
  const last = causes(problem).at(-1);
  return last?.message || last?.code || "";
}

/** An error of Node.js, which has a code beside its message. */
type Cause = Error & { code?: string };

function causes(problem: unknown): Cause[] {
  const found: Cause[] = [];
  for (let each = problem; each instanceof Error && found.length < 10; each = each.cause) found.push(each);
  return found;
}
