import type { Text } from "@shedu/client";
import { TITLES } from "shedu:titles";
import type { Say } from "./board";
import { readStored, writeStored } from "./browser_storage";
import { createStore, useStore } from "./store";

/** `texts` by id, with placeholders in braces; `words` are the English words that stand in placeholders. */
export interface Catalogue {
  texts: Record<string, string>;
  words: Record<string, string>;
}

export type Language = "en" | "pt" | "es";
export const LANGUAGES: Record<Language, string> = { en: "English", pt: "Português", es: "Español" };

/** The texts of the pages. Those of a title are in its folder and load with its board. */
const SHARED: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./text/en.json"),
  pt: () => import("./text/pt.json"),
  es: () => import("./text/es.json"),
};

interface Loaded {
  language: Language;
  shared: Catalogue;
  /** By title; the one that was opened last comes last. */
  titles: ReadonlyMap<string, Catalogue>;
}

const EMPTY: Catalogue = { texts: {}, words: {} };
const loaded = createStore<Loaded>({ language: "en", shared: EMPTY, titles: new Map() });

function preferred(): Language {
  const wished = [readStored("language", ""), ...navigator.languages].map((tag) => tag.slice(0, 2));
  return (wished.find((tag) => tag in LANGUAGES) as Language | undefined) ?? "en";
}

/** Loads the texts of the pages, and anew those of the titles that are open. */
export async function loadLanguage(language: Language = preferred()): Promise<void> {
  const shared = await SHARED[language]().then((found) => found.default, () => undefined);
  const titles = new Map<string, Catalogue>();
  const now: Loaded = shared ? { language, shared, titles } : { language: "en", shared: EMPTY, titles };
  const open = [...loaded.get().titles.keys()];
  const again = await Promise.all(open.map(async (title) => [title, await catalogueOf(title, now)] as const));
  const opened = [...loaded.get().titles.keys()].filter((title) => !open.includes(title));
  loaded.set({ ...now, titles: new Map(again) });
  document.documentElement.lang = now.language;
  // Titles that were opened while this was loading are in the old language.
  await Promise.all(opened.map(loadTitleTexts));
}

/** Loads the texts of a title and of those whose modules its board uses. */
export async function loadTitleTexts(title: string): Promise<void> {
  const wanted = [...(TITLES.get(title)?.facts?.alsoTextsOf ?? []), title];
  const before = loaded.get();
  const found = await Promise.all(
    wanted.map(async (one) => [one, before.titles.get(one) ?? (await catalogueOf(one, before))] as const),
  );
  const now = loaded.get();
  // The language was changed meanwhile: what was loaded is in the old one.
  if (now.language !== before.language) return loadTitleTexts(title);
  const titles = new Map(now.titles);
  for (const [one, catalogue] of found) {
    titles.delete(one);
    titles.set(one, catalogue);
  }
  loaded.set({ ...now, titles });
}

/** A title that lacks the language is shown in English, words and all. */
async function catalogueOf(title: string, { language, shared }: Loaded): Promise<Catalogue> {
  const texts = TITLES.get(title)?.texts ?? {};
  const own = await (texts[language] ?? texts.en)?.().catch(() => undefined);
  if (own === undefined) return EMPTY;
  return texts[language] ? { texts: own.texts, words: { ...shared.words, ...own.words } } : own;
}

export function chooseLanguage(language: Language): void {
  writeStored("language", language);
  void loadLanguage(language);
}

export function useLanguage(): Language {
  return useStore(loaded).language;
}

/** The catalogue that has this text. Titles may have the same id, such as a reason of a refusal: the open one counts. */
function catalogueWith(id: string): Catalogue | undefined {
  const { shared, titles } = loaded.get();
  return [shared, ...titles.values()].findLast(({ texts }) => id in texts);
}

/** The sentence in the chosen language, or the English one. */
export const say: Say = (id, english, args = {}) => fill(catalogueWith(id)?.texts[id] ?? english, args);

/** A component that calls it is drawn again when the language changes. */
export function useSay(): Say {
  useStore(loaded);
  return say;
}

/** A sentence of the server. */
export function sayText(text: Text | undefined): string {
  if (text === undefined) return "";
  const catalogue = catalogueWith(text.id);
  if (catalogue === undefined) return text.english;
  const words = Object.entries(text.arguments).map(([name, value]) => [name, translateWords(value, catalogue.words)]);
  return fill(catalogue.texts[text.id] ?? text.english, Object.fromEntries(words));
}

/** One argument of a sentence of the server. */
export function sayArgument(text: Text | undefined, name: string): string {
  return translateWords(text?.arguments[name] ?? "", catalogueWith(text?.id ?? "")?.words ?? {});
}

/** Words that stand in a sentence of the server, such as "temple", "2 wood, 1 gold" or "card 3 of column 5". */
function translateWords(value: string, words: Record<string, string>): string {
  return known(value, words) ?? value.split(", ").map((part) => known(part, words) ?? joined(part, words)).join(", ");
}

/** Numbers are no part of what is looked up: they fill the marks of the translation in order. */
function known(value: string, words: Record<string, string>): string | undefined {
  const numbers = value.match(/\d+/g) ?? [];
  return words[value.replace(/\d+/g, "#")]?.replace(/#/g, () => numbers.shift() ?? "");
}

function joined(part: string, words: Record<string, string>): string {
  const each = (between: string) => part.split(between).map((word) => words[word] ?? word);
  return part.includes("/") ? each("/").join("/") : each(" and ").join(` ${words["and"] ?? "and"} `);
}

function fill(sentence: string, args: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => args[name] ?? whole);
}

/** Begins with a capital letter. */
export function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
