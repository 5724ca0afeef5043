import { recall, remember } from "./keep";
import { createStore, type Store } from "./store";

export type Theme = "auto" | "light" | "dark";

export interface Preferences {
  theme: Theme;
  /** Ask before an action that cannot be taken back. */
  confirm: boolean;
  sound: boolean;
  /** Show what others did without a pause after each step. */
  atOnce: boolean;
  name: string;
}

const FIRST: Preferences = { theme: "auto", confirm: true, sound: false, atOnce: false, name: "" };

export const preferences: Store<Preferences> = createStore({ ...FIRST, ...recall("preferences", {}) });

export function prefer(changed: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...changed });
  remember("preferences", preferences.get());
}

export function showTheme(): void {
  const { theme } = preferences.get();
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
