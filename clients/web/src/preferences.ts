import { readStored, writeStored } from "./browser_storage";
import { createStore, type Store } from "./store";

export type Theme = "auto" | "light" | "dark" | "contrast";

/**
 * When an action must be confirmed before it is sent: never; where it cannot be undone; or always. Between the
 * actions of a turn there is undo, so that the second asks about once in a turn.
 */
export type Confirming = "instant" | "turn" | "always";

export interface Preferences {
  theme: Theme;
  confirming: Confirming;
  sound: boolean;
  /** Notify on the desktop when it is the player's turn. */
  notify: boolean;
  /** Show moves of others without a pause after each step. */
  atOnce: boolean;
  name: string;
  /** Show all choices in words, too. */
  words: boolean;
}

const FIRST: Preferences = { theme: "auto", confirming: "turn", sound: false, notify: false, atOnce: false, name: "", words: false };

export const preferences: Store<Preferences> = createStore({ ...FIRST, ...readStored("preferences", {}) });

export function prefer(changed: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...changed });
  writeStored("preferences", preferences.get());
}

const moreContrast = matchMedia("(prefers-contrast: more)");

/** Light or dark follow the system if nothing is chosen, and so does high contrast. */
export function showTheme(): void {
  const { theme } = preferences.get();
  const chosen = theme === "auto" && moreContrast.matches ? "contrast" : theme;
  if (chosen === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}
