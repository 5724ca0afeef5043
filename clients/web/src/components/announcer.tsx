import type { JSX } from "preact";
import { createStore, useStore } from "../store";

const sentences = createStore<readonly { key: number; text: string }[]>([]);
let count = 0;

/** A live region that reads announcements to screen readers, one after the other. */
export function announce(...texts: readonly string[]): void {
  const fresh = texts.filter(Boolean).map((text) => ({ key: count++, text }));
  if (fresh.length > 0) sentences.set([...sentences.get(), ...fresh].slice(-20));
}

export function Announcer(): JSX.Element {
  const told = useStore(sentences);
  return (
    <div class="unseen" role="log" aria-live="polite" aria-relevant="additions" data-testid="announcer">
      {told.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}
