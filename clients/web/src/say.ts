import type { Text } from "@shedu/client";
import type { Say } from "./board";
import { recall, remember } from "./keep";
import { createStore, useStore } from "./store";

/** `texts` by id, with placeholders in braces; `words` are the English words that stand in placeholders. */
export interface Catalogue {
  texts: Record<string, string>;
  words: Record<string, string>;
}

export type Language = "en" | "pt" | "es";
export const LANGUAGES: Record<Language, string> = { en: "English", pt: "Português", es: "Español" };

const CATALOGUES: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./text/en.json"),
  pt: () => import("./text/pt.json"),
  es: () => import("./text/es.json"),
};

const EMPTY: Catalogue = { texts: {}, words: {} };
const spoken = createStore<{ language: Language; catalogue: Catalogue }>({ language: "en", catalogue: EMPTY });

function preferred(): Language {
  const wished = [recall("language", ""), ...navigator.languages].map((tag) => tag.slice(0, 2));
  return (wished.find((tag) => tag in LANGUAGES) as Language | undefined) ?? "en";
}

export async function speak(language: Language = preferred()): Promise<void> {
  try {
    spoken.set({ language, catalogue: (await CATALOGUES[language]()).default });
  } catch {
    spoken.set({ language: "en", catalogue: EMPTY });
  }
  document.documentElement.lang = spoken.get().language;
}

export function choose(language: Language): void {
  remember("language", language);
  void speak(language);
}

export function useLanguage(): Language {
  return useStore(spoken).language;
}

/** The sentence in the chosen language, or the English one. */
export const say: Say = (id, english, args = {}) => {
  const { catalogue } = spoken.get();
  return fill(catalogue.texts[id] ?? english, args);
};

/** A component that calls it is drawn again when the language changes. */
export function useSay(): Say {
  useStore(spoken);
  return say;
}

/** A sentence of the server. */
export function sayText(text: Text | undefined): string {
  if (text === undefined) return "";
  const { catalogue } = spoken.get();
  const sentence = catalogue.texts[text.id];
  if (sentence === undefined) return text.english;
  const words = Object.entries(text.arguments).map(([name, value]) => [name, sayWords(value)]);
  return fill(sentence, Object.fromEntries(words));
}

/** Words that stand in a sentence of the server, such as "temple", "2 wood, 1 gold" or "card 3 of column 5". */
export function sayWords(value: string): string {
  const { words } = spoken.get().catalogue;
  return known(value, words) ?? value.split(", ").map((part) => known(part, words) ?? joined(part, words)).join(", ");
}

/** Numbers are no part of what is looked up: they fill the marks of the translation in order. */
function known(value: string, words: Record<string, string>): string | undefined {
  const numbers = value.match(/\d+/g) ?? [];
  return words[value.replace(/\d+/g, "#")]?.replace(/#/g, () => numbers.shift() ?? "");
}

function joined(part: string, words: Record<string, string>): string {
  const said = (between: string) => part.split(between).map((word) => words[word] ?? word);
  return part.includes("/") ? said("/").join("/") : said(" and ").join(` ${words["and"] ?? "and"} `);
}

function fill(sentence: string, args: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => args[name] ?? whole);
}

/** Begins with a capital letter. */
export function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
