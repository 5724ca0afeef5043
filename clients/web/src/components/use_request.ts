import { SheduError } from "@shedu/client";
import { useEffect, useState } from "preact/hooks";
import { connection } from "../connection";
import { useStore } from "../store";

export interface Requested<T> {
  answer: T | undefined;
  problem: SheduError | undefined;
  again: () => void;
}

/** Sends a request when the component is mounted and whenever `keys` change. */
export function useRequest<T>(ask: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Requested<T> {
  const [attempt, setAttempt] = useState(0);
  const [found, setFound] = useState<{ answer?: T; problem?: SheduError }>({});
  useEffect(() => {
    const ended = new AbortController();
    ask(ended.signal).then(
      (answer) => ended.signal.aborted || setFound({ answer }),
      (problem) => ended.signal.aborted || setFound({ problem: SheduError.from(problem) }),
    );
    return () => ended.abort();
  }, [...keys, attempt]);
  const reachable = useStore(connection) === "live";
  useEffect(() => {
    if (reachable && found.problem?.isTransient) again();
  }, [reachable]);
  const again = () => {
    setFound({});
    setAttempt(attempt + 1);
  };
  return { answer: found.answer, problem: found.problem, again };
}
