import { useMemo, useRef } from "preact/hooks";
import type { Attempt, BoardProps, Choice } from "../board";

/** Names everything on the board that a choice involves, e.g. "space:3,4". */
export type KeysOf = (choice: Choice) => readonly string[];

/** The action that a click on a target would be, if the board can tell; the server explains why it is illegal. */
export type AttemptOf = (key: string, targets: Pick<Targets, "picked">, choices: readonly Choice[]) => Attempt | undefined;

/** What can be chosen by pointing. Boards use it and contain no rules. */
export interface Targets {
  /** Whether there are choices. */
  readonly asked: boolean;
  /** Whether a target was chosen, so that fewer choices are left. */
  readonly narrowed: boolean;
  /** Whether some of the choices left involve this target. */
  lit(key: string): boolean;
  /** Whether all choices left involve this target, after a target was chosen. */
  picked(key: string): boolean;
  /** Whether any choice involves this target, whatever was chosen so far. */
  known(key: string): boolean;
  /** Whether a guide proposes a choice that involves this target. */
  proposed(key: string): boolean;
  point(key: string, label: string): void;
  /** The pointer rests on a target; an empty key for none. */
  hover(key: string, label: string): void;
  /** Chooses several targets together, whatever was chosen before. */
  gather(keys: readonly string[], label: string): void;
  /** Plays the only choice left. */
  insist(): void;
}

type Index = ReadonlyMap<string, ReadonlySet<Choice>>;

export function indexed(choices: readonly Choice[], keysOf: KeysOf): Index {
  const index = new Map<string, Set<Choice>>();
  for (const choice of choices) {
    for (const key of keysOf(choice)) {
      const known = index.get(key);
      if (known) known.add(choice);
      else index.set(key, new Set([choice]));
    }
  }
  return index;
}

export function useTargets(props: BoardProps, keysOf: KeysOf, attemptOf: AttemptOf): Targets {
  const { choices, chosen, proposed } = props;
  const latest = useRef(props);
  latest.current = props;
  const all = useMemo(() => indexed(choices, keysOf), [choices, keysOf]);
  const left = useMemo(() => (chosen === choices ? all : indexed(chosen, keysOf)), [chosen, all, keysOf]);
  return useMemo(() => {
    const proposals = new Set(proposed ? keysOf(proposed) : []);
    const narrowed = chosen.length < choices.length;
    const picked = (key: string): boolean => narrowed && chosen.length > 0 && left.get(key)?.size === chosen.length;
    const attempt = (key: string): Attempt | undefined => (choices.length ? attemptOf(key, { picked }, choices) : undefined);
    const answer = (possible: readonly Choice[], label: string, key = ""): void => {
      if (possible.length) latest.current.narrow(possible);
      else latest.current.refuse(label, attempt(key));
    };
    return {
      asked: choices.length > 0,
      narrowed,
      lit: (key) => left.has(key),
      picked,
      known: (key) => all.has(key),
      proposed: (key) => proposals.has(key),
      point: (key, label) => answer([...(left.get(key) ?? all.get(key) ?? [])], label, key),
      hover: (key, label) => latest.current.hover(label, left.has(key) ? undefined : attempt(key)),
      gather: (keys, label) =>
        answer(
          choices.filter((choice) => keys.every((key) => all.get(key)?.has(choice))),
          label,
        ),
      insist: () => chosen[0] && latest.current.insist(chosen[0]),
    };
  }, [all, left, proposed]);
}
