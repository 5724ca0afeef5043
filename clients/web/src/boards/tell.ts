import type { Say } from "./say";

/** Makes a sentence of some kinds of event. */
export type Teller<Kind> = (kind: Kind, names: readonly string[], say: Say) => string | undefined;

/** What the first teller says who knows the kind. */
export function tellOf<Kind>(tellers: readonly Teller<Kind>[]): Teller<Kind> {
  return (kind, names, say) => {
    for (const tell of tellers) {
      const words = tell(kind, names, say);
      if (words !== undefined) return words;
    }
    return undefined;
  };
}
