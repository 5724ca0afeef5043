import type { Say } from "./seat_name";

/** Makes sentences of some kinds of event; undefined for the others. */
export type SentenceWriter<Kind> = (kind: Kind, names: readonly string[], say: Say) => string | undefined;

/** Combines writers: the sentence of the first one that knows the kind. */
export function firstSentence<Kind>(writers: readonly SentenceWriter<Kind>[]): SentenceWriter<Kind> {
  return (kind, names, say) => {
    for (const tell of writers) {
      const words = tell(kind, names, say);
      if (words !== undefined) return words;
    }
    return undefined;
  };
}
