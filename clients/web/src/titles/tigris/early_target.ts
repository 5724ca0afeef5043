import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Targets } from "../../boards/targets";

/**
 * An action takes two decisions: the piece, and then its space. If the player clicks a space before the first is
 * played, this plays the piece and chooses that space when the second decision arrives.
 */
export function useEarlyTarget(targets: Targets, hints: ReadonlySet<string>): Targets {
  const wish = useRef("");
  useEffect(() => {
    if (!targets.asked || targets.narrowed) return;
    const wished = wish.current;
    wish.current = "";
    if (targets.lit(wished)) targets.point(wished, wished);
  }, [targets]);
  return useMemo(
    () => ({
      ...targets,
      lit: (key) => targets.lit(key) || hints.has(key),
      point(key, label) {
        const early = hints.has(key) && !targets.known(key);
        wish.current = early ? key : "";
        if (early) targets.insist();
        else targets.point(key, label);
      },
    }),
    [targets, hints],
  );
}
