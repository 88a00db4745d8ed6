// Shows the pages in a frame, and keeps the worker that answers them: its results are there as long as
// this page is open.
"use strict";

const base = new URL("./", location).pathname;
const session = crypto.getRandomValues(new Uint8Array(8)).reduce((name, byte) => name + byte.toString(16).padStart(2, "0"), "");
const prefix = `${base}${session}/`;
const frame = document.querySelector("iframe");
const note = document.querySelector("p");
const job = document.querySelector("section");

/** An address that is there as long as jobs should go on. */
let goesOn = URL.createObjectURL(new Blob());

/** Shows the status of the job that the worker does; null if it does none. */
function show(status) {
  job.hidden = status === null;
  if (!status) return;
  const bar = job.querySelector("progress");
  job.querySelector("p").textContent = [status.words, status.done, status.left && `${status.left} left`].filter((part) => part).join(" · ");
  if (status.percent === null) bar.removeAttribute("value"); else bar.value = status.percent;
}

async function start() {
  // The shell of this page was closed.
  if (self !== top) { top.location.replace(base); return; }
  if (!navigator.serviceWorker || !self.DecompressionStream) {
    note.textContent = "This browser cannot run fairdeal here: it takes a current browser, and an address that begins with https.";
    return;
  }
  const worker = new Worker("worker.js", { type: "module" });
  worker.addEventListener("message", ({ data }) => show(data));
  job.querySelector("button").addEventListener("click", () => {
    URL.revokeObjectURL(goesOn);
    goesOn = URL.createObjectURL(new Blob());
  });
  // The service worker asks all open shells.
  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    if (data.session === session) worker.postMessage({ ...data, prefix, goesOn }, [port, data.body]);
    else port.postMessage(null);
  });
  navigator.serviceWorker.startMessages();
  await navigator.serviceWorker.register("service.js");
  await navigator.serviceWorker.ready;
  frame.addEventListener("load", () => {
    const here = frame.contentWindow.location;
    note.hidden = true;
    document.title = frame.contentDocument.title || "fairdeal";
    // A page of a result is gone when the shell is loaded again.
    const path = here.pathname.startsWith(`${prefix}jobs/`) ? "" : here.pathname.slice(prefix.length) + here.search;
    history.replaceState(null, "", path === "" ? base : `#/${path}`);
  });
  const go = () => { frame.src = prefix + location.hash.slice(2); };
  addEventListener("hashchange", go);
  frame.hidden = false;
  go();
}

start().catch((error) => { note.textContent = `fairdeal did not start: ${error.message}`; });
