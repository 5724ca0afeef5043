import { readStored, writeStored } from "./browser_storage";
import { createStore, type Store } from "./store";

export type Theme = "auto" | "light" | "dark";

export interface Preferences {
  theme: Theme;
  /** Confirm each action before it is sent. */
  confirm: boolean;
  sound: boolean;
  /** Notify on the desktop when it is the player's turn. */
  notify: boolean;
  /** Show moves of others without a pause after each step. */
  atOnce: boolean;
  name: string;
}

const FIRST: Preferences = { theme: "auto", confirm: true, sound: false, notify: false, atOnce: false, name: "" };

export const preferences: Store<Preferences> = createStore({ ...FIRST, ...readStored("preferences", {}) });

export function prefer(changed: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...changed });
  writeStored("preferences", preferences.get());
}

export function showTheme(): void {
  const { theme } = preferences.get();
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
