import type { Title } from "@shedu/client";
import { useEffect } from "preact/hooks";
import { server } from "./server";
import { createStore, useStore } from "./store";
import { loadTitleTexts } from "./translation";

const known = createStore<readonly Title[]>([]);
let asked: Promise<Title[]> | undefined;

/** The titles of the server. The answer is cached; a failed request is repeated on the next call. */
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

/** The titles with their texts in the language of the page. */
export async function titlesWithTexts(): Promise<Title[]> {
  const found = await titles();
  await Promise.all(found.map(({ title }) => loadTitleTexts(title)));
  return found;
}

/** One title, if the server has answered already. */
export function knownTitle(title: string): Title | undefined {
  return known.get().find((one) => one.title === title);
}

/** One title, once it is known. */
export function useTitle(title: string): Title | undefined {
  const found = useStore(known).find((one) => one.title === title);
  useEffect(() => {
    titles().catch(() => undefined);
  }, []);
  return found;
}
