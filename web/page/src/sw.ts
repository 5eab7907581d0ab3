/// <reference lib="webworker" />
/** The service worker keeps the files of the page, so that it works without a network. */
declare const FILES: string[];
declare const VERSION: string;

const sw = globalThis as unknown as ServiceWorkerGlobalScope;
const cacheName = "picaproof-" + VERSION;

sw.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(cacheName);
    await cache.addAll(["./", ...FILES].map((f) => new Request(f, { cache: "reload" })));
    await sw.skipWaiting();
  })());
});

sw.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const old of await caches.keys()) if (old.startsWith("picaproof-") && old !== cacheName) await caches.delete(old);
    await sw.clients.claim();
  })());
});

sw.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith((async () => {
    const cache = await caches.open(cacheName);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  })());
});
export {};
