import type { Title } from "@shedu/client";
import { useEffect } from "preact/hooks";
import { server } from "./server";
import { createStore, useStore } from "./store";

const known = createStore<readonly Title[]>([]);
let asked: Promise<Title[]> | undefined;

/** The titles of the server, asked for once; asked again if that failed. */
export function titles(): Promise<Title[]> {
  asked ??= server.titles().then(
    (found) => {
      known.set(found);
      return found;
    },
    (problem) => {
      asked = undefined;
      throw problem;
    },
  );
  return asked;
}

/** One title, once it is known. */
export function useTitle(title: string): Title | undefined {
  const found = useStore(known).find((one) => one.title === title);
  useEffect(() => {
    titles().catch(() => undefined);
  }, []);
  return found;
}
