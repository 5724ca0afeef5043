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

/** A word that stands in a sentence of the server, such as "temple" or "2 wood and 1 gold". */
export function sayWords(value: string): string {
  const { words } = spoken.get().catalogue;
  const whole = words[value];
  if (whole !== undefined) return whole;
  return value.replace(/[^\d\s,;]+(?: [^\d\s,;]+)*/g, (part) => words[part] ?? wordByWord(part, words));
}

function wordByWord(part: string, words: Record<string, string>): string {
  return part.replace(/[^\s]+/g, (word) => words[word] ?? word);
}

function fill(sentence: string, args: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => args[name] ?? whole);
}

/** Begins with a capital letter. */
export function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
