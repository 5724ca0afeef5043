import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { watchLinkTo } from "../join";
import { useSay } from "../translation";

/** A link with a button that copies it. */
export function SharedLink({ words, link }: { words: string; link: string }): JSX.Element {
  const say = useSay();
  const [copied, setCopied] = useState(false);
  const share = () => navigator.share({ url: link }).catch(() => undefined);
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
      {"share" in navigator ? (
        <button type="button" onClick={share}>
          {say("web.share", "Share")}
        </button>
      ) : null}
    </p>
  );
}

/** The spectator link; nothing if the game needs none or this browser does not have it. */
export function WatchLink({ gameId }: { gameId: string }): JSX.Element | null {
  const say = useSay();
  const link = watchLinkTo(gameId);
  return link ? <SharedLink words={say("web.watch_link", "Spectator link")} link={link} /> : null;
}
