/// <reference lib="webworker" />
/**
 * Makes the client installable and lets it open without a network: the page then says that it is offline, and goes on
 * by itself. Requests to the API never pass through here.
 */
/** The files that every page needs, from the build. Their names have hashes. */
declare const SHELL: readonly string[];

const worker = self as unknown as ServiceWorkerGlobalScope;
const CACHE = `shedu-${SHELL.join()}`;

worker.addEventListener("install", (event) => {
  const fill = async () => (await caches.open(CACHE)).addAll(["/", ...SHELL]);
  event.waitUntil(fill().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const clear = async () => {
    const old = (await caches.keys()).filter((name) => name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(clear());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pathname !== "/docs") event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
});

/** The newest page; without a network the stored one, which all addresses share. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("/", { ignoreVary: true })) ?? Response.error();
  }
}

/** An asset never changes under its name. Boards are stored when they are first used. */
async function asset(request: Request): Promise<Response> {
  // The server varies by Origin, which only module scripts send; the content is the same.
  const stored = await caches.match(request, { ignoreVary: true });
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

/** A click on a notification shows its game, in the tab that has it if there is one. */
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const show = async () => {
    const address = String(event.notification.data);
    const tabs = await worker.clients.matchAll({ type: "window" });
    const tab = tabs.find(({ url }) => new URL(url).pathname === address);
    await (tab ? tab.focus() : worker.clients.openWindow(address));
  };
  event.waitUntil(show());
});

export {};
