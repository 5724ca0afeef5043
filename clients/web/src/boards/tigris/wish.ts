import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Targets } from "../targets";

/**
 * An action takes two answers, what and where. Whoever points at a space before the first is played has
 * answered the second already: it is remembered until the space is asked for.
 */
export function useWish(targets: Targets, hints: ReadonlySet<string>): Targets {
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
