import type { Game } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useSay } from "../translation";

/** Shares the result as a picture where the device can, and saves it elsewhere. */
export function ShareImageButton(props: { game: Game; names: readonly string[]; headline: string }): JSX.Element {
  const say = useSay();
  const [isBusy, setBusy] = useState(false);
  const share = async () => {
    setBusy(true);
    const { drawResult } = await import("../share_image");
    const blob = await drawResult(props.game, props.names, props.headline);
    await give(new File([blob], `shedu-${props.game.title}.png`, { type: blob.type }));
  };
  return (
    <button type="button" disabled={isBusy} onClick={() => void share().catch(() => undefined).finally(() => setBusy(false))}>
      {say("web.finished.image", "Share image")}
    </button>
  );
}

async function give(file: File): Promise<void> {
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] });
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(address);
}
