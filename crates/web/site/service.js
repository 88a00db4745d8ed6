// Keeps the files of this folder for use without a network, and passes the requests of the pages to
// the worker of their shell.
"use strict";

const VERSION = "VERSION"; // replaced by the hash of all files
const FILES = ["./", "shell.js", "worker.js", "wasi.js", "shell.css", "fairdeal.wasm.gzip"];
const base = new URL("./", location).pathname;
const kept = new Set(FILES.map((file) => new URL(file, location).pathname));

addEventListener("install", (event) => {
  skipWaiting();
  const reload = (file) => new Request(file, { cache: "reload" });
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map(reload))));
});

addEventListener("activate", (event) => {
  const forget = async () => {
    const old = (await caches.keys()).filter((name) => name !== VERSION && name.startsWith("fairdeal-"));
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(forget());
});

/** Asks a shell; the reply is null if the request is another's. */
function ask(shell, message) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    shell.postMessage(message, [port2]);
  });
}

async function answer(request, session, path) {
  const message = {
    session,
    path,
    method: request.method,
    type: request.headers.get("content-type"),
    body: await request.arrayBuffer(),
  };
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const isShell = ({ url }) => [base, `${base}index.html`].includes(new URL(url).pathname);
  for (const shell of open.filter(isShell)) {
    const reply = await ask(shell, message);
    if (reply) return new Response(reply.body, { status: reply.status, headers: reply.headers });
  }
  return Response.redirect(base);
}

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(base)) return;
  const [, session, path] = url.pathname.slice(base.length).match(/^([0-9a-f]{16})(\/.*)$/) ?? [];
  if (session) event.respondWith(answer(event.request, session, path + url.search));
  else if (kept.has(url.pathname)) {
    event.respondWith(caches.match(url.pathname).then((file) => file ?? fetch(event.request)));
  }
});
