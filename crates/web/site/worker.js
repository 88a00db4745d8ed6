// Answers the requests of the pages by the library, one after the other.

import { System } from "./wasi.js";

/** The library, compiled. */
const compiled = (async () => {
  const packed = (await fetch("fairdeal.wasm.gzip")).body;
  const bytes = packed.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
})();

/** The running library and its system; null before the first request and after a fault. */
let running = null;

async function start() {
  const module = await compiled;
  const system = new System();
  const { exports } = await WebAssembly.instantiate(module, system.imports(module));
  system.memory = exports.memory;
  exports._initialize?.();
  return { system, exports };
}

/** The bytes of pieces in one array. */
function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
}

/** The addresses of the pages begin with a slash; here they are below a prefix. */
const below = (prefix, html) => html.replace(/ (href|src|action|data-events)="\//g, (_, name) => ` ${name}="${prefix}`);

/** Whether the address of a blob is still there: the shell ends it to stop a job. */
function isThere(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  try { request.send(); } catch { return false; }
  return true;
}

async function answer({ prefix, method, path, type, body, goesOn }) {
  running ??= await start();
  const { system, exports } = running;
  system.watch = (pieces) => {
    postMessage(JSON.parse(new TextDecoder().decode(joined(pieces))));
    return isThere(goesOn);
  };
  const head = new TextEncoder().encode(`${JSON.stringify({ method, path, type })}\n`);
  system.begin(joined([head, new Uint8Array(body)]));
  exports.answer();
  const bytes = joined(system.output);
  const end = bytes.indexOf(10);
  const { status, headers: sent } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const headers = new Headers(sent);
  // The shell shows the pages in a frame.
  headers.delete("x-frame-options");
  headers.set("content-security-policy", headers.get("content-security-policy")?.replace("frame-ancestors 'none'", "frame-ancestors 'self'") ?? "");
  const location = headers.get("location");
  if (location?.startsWith("/")) headers.set("location", prefix + location.slice(1));
  let content = bytes.slice(end + 1);
  if (headers.get("content-type")?.startsWith("text/html")) {
    content = new TextEncoder().encode(below(prefix, new TextDecoder().decode(content)));
    headers.delete("content-length");
  }
  return { status, headers: [...headers], body: content.buffer };
}

/** Answers a request, or says what is wrong. After a fault of the library, the next request starts it again. */
async function answerOrFail(request) {
  try {
    return await answer(request);
  } catch (error) {
    running = null;
    const message = `The pages stopped by a fault of the program (${error.message}). Go back, and try again.`;
    return { status: 500, headers: [["content-type", "text/plain; charset=utf-8"]], body: new TextEncoder().encode(message).buffer };
  }
}

let last = Promise.resolve();
addEventListener("message", ({ data, ports: [port] }) => {
  last = last.then(async () => {
    const reply = await answerOrFail(data);
    port.postMessage(reply, [reply.body]);
    postMessage(null);
  });
});

// Before it is asked for.
start().then((begun) => { running ??= begun; }, () => {});
