import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { watchLinkTo } from "../joining";
import { useSay } from "../say";

/** A link to pass on. */
export function SharedLink({ words, link }: { words: string; link: string }): JSX.Element {
  const say = useSay();
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(link).then(() => setCopied(true), () => setCopied(false));
  return (
    <p class="invite">
      <label>
        {words}
        <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={copy}>
        {copied ? say("web.copied", "Copied") : say("web.copy", "Copy")}
      </button>
    </p>
  );
}

/** The link for spectators, where they need one and this browser has it. */
export function WatchLink({ gameId }: { gameId: string }): JSX.Element | null {
  const say = useSay();
  const link = watchLinkTo(gameId);
  return link ? <SharedLink words={say("web.watch_link", "Whoever has this link may watch")} link={link} /> : null;
}
