import { prefer, preferences } from "./preferences";

/** Starts what makes the client installable; an old browser or a page without TLS does without. */
export function installServiceWorker(): void {
  navigator.serviceWorker?.register("/service_worker.js").catch(() => undefined);
}

export function canNotify(): boolean {
  return "Notification" in globalThis && "serviceWorker" in navigator;
}

/** Turns notifications on or off. The browser asks the player for permission once. */
export async function chooseNotifications(isWanted: boolean): Promise<void> {
  const isAllowed = isWanted && (await Notification.requestPermission()) === "granted";
  prefer({ notify: isAllowed });
}

/** Shows that it is the player's turn, once for each decision, while no tab of the game is in view. */
export async function notifyTurn(gameId: string, heading: string, text: string): Promise<void> {
  if (!preferences.get().notify || !canNotify() || Notification.permission !== "granted" || !document.hidden) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.showNotification(heading, {
    body: text,
    tag: gameId,
    icon: "/assets/icon-192.png",
    data: `/games/${gameId}`,
  });
}
