// Progressive enhancement: every page works without this file.
"use strict";

// The address that checks a condition: pages may be below a folder.
const CHECK = new URL("../check", document.currentScript.src);

// The progress of a job, until it is over.
for (const status of document.querySelectorAll("[data-events]")) {
  const events = new EventSource(status.dataset.events);
  const show = (event) => {
    const now = JSON.parse(event.data);
    for (const place of status.querySelectorAll("[data-status]")) {
      const value = now[place.dataset.status];
      if (place.tagName === "PROGRESS") {
        if (value === null) place.removeAttribute("value"); else place.value = value;
      } else if (place.textContent !== (value ?? "")) {
        place.textContent = value ?? "";
        // A name without a value says nothing.
        if (place.tagName === "DD") place.parentElement.hidden = !value;
      }
    }
  };
  events.addEventListener("status", show);
  events.addEventListener("over", () => { events.close(); location.reload(); });
}

// Files dropped on a field.
for (const drop of document.querySelectorAll("[data-drop]")) {
  const input = drop.querySelector("input[type=file]");
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length > 0) input.files = event.dataTransfer.files;
  });
}

// The field that a message is about; null for the message about a whole form.
const fieldOf = (message) => document.getElementById(message.id.slice(0, -"-error".length));

// Shows the messages beside fields as another page of the form has them; returns whether there are any.
const showMessages = (page) => {
  const messages = [...page.querySelectorAll(".field-error")];
  for (const said of messages) {
    const here = document.getElementById(said.id);
    const field = fieldOf(said);
    if (!here) continue;
    here.innerHTML = said.innerHTML;
    here.hidden = said.hidden;
    if (!field) continue;
    if (said.hidden) { field.removeAttribute("aria-invalid"); continue; }
    field.setAttribute("aria-invalid", "true");
    const options = field.closest("details");
    if (options) options.open = true;
  }
  const first = document.querySelector("[aria-invalid]");
  if (first) first.focus();
  return messages.some((said) => !said.hidden);
};

// A message goes when its field is changed.
for (const message of document.querySelectorAll(".field-error")) {
  const field = fieldOf(message);
  if (!field) continue;
  field.addEventListener("input", () => {
    message.hidden = true;
    field.removeAttribute("aria-invalid");
  });
}

// The progress of an upload.
for (const form of document.querySelectorAll("form[data-upload]")) {
  form.addEventListener("submit", (event) => {
    const box = form.querySelector("[data-progress]");
    const words = box.querySelector("[data-progress-words]");
    const bar = box.querySelector("progress");
    const files = [...form.querySelector("input[type=file]").files];
    const size = files.reduce((sum, file) => sum + file.size, 0);
    event.preventDefault();
    box.hidden = false;
    if (size > Number(form.dataset.most) * 1048576) {
      words.textContent = `The files have more than ${form.dataset.most} MB: choose fewer, or compress them.`;
      bar.hidden = true;
      return;
    }
    const button = event.submitter ?? form.querySelector("button[type=submit]");
    const failed = (text) => { words.textContent = text; bar.hidden = true; button.disabled = false; };
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.responseType = "document";
    request.upload.addEventListener("progress", (sent) => {
      if (sent.lengthComputable) bar.value = 100 * sent.loaded / sent.total;
    });
    request.addEventListener("load", () => {
      if (request.status < 400) { location.assign(request.responseURL); return; }
      if (request.response && showMessages(request.response)) { failed(""); box.hidden = true; return; }
      const problem = request.response && request.response.querySelector(".problem");
      failed(problem ? problem.textContent.trim() : `The server refused the files (status ${request.status}).`);
    });
    request.addEventListener("error", () => failed("The connection broke off before all files were sent."));
    bar.hidden = false;
    words.textContent = "Sending";
    const data = new FormData(form);
    if (button.name) data.set(button.name, button.value);
    button.disabled = true;
    request.send(data);
  });
}

// The check of a condition as it is typed. One that takes too long is tried again: the server may have
// been busy.
const TRIES = 4;
const AGAIN = 6_000; // milliseconds
for (const field of document.querySelectorAll("[data-check]")) {
  const place = document.getElementById(`${field.id}-check`);
  if (!place) continue;
  const seed = field.form.querySelector("[name=seed]");
  let timer = 0;
  let latest = 0;
  const check = async (tries = TRIES) => {
    const mine = ++latest;
    const body = new URLSearchParams({ condition: field.value });
    if (field.dataset.check === "samples") {
      body.set("samples", "1");
      if (seed) body.set("seed", seed.value);
    }
    try {
      const answer = await fetch(CHECK, { method: "POST", body });
      const html = await answer.text();
      // An older answer may come later.
      if (mine !== latest) return;
      if (answer.ok) {
        const opened = [...place.querySelectorAll("details[open]")].map((one) => one.dataset.stays);
        place.innerHTML = html;
        for (const one of place.querySelectorAll("details")) one.open = opened.includes(one.dataset.stays);
        const isLate = place.querySelector("[data-again]") && field.value === body.get("condition");
        if (isLate && tries > 1) timer = setTimeout(() => check(tries - 1), AGAIN);
        return;
      }
      const problem = new DOMParser().parseFromString(html, "text/html").querySelector(".problem");
      place.textContent = problem ? problem.textContent.trim() : "The condition was not checked.";
    } catch {
      if (mine === latest) place.textContent = "The server does not answer.";
    }
  };
  const later = () => { clearTimeout(timer); timer = setTimeout(check, 350); };
  field.addEventListener("input", later);
  if (seed && field.dataset.check === "samples") seed.addEventListener("input", later);
  // Not what another page has filled in, and not what a message is about already.
  const isAsked = !document.querySelector("[data-foreign]") && !field.hasAttribute("aria-invalid");
  if (isAsked && field.value.trim() !== "" && place.textContent.trim() === "") later();
}

// Fills in a field so that the browser can undo it.
const fillIn = (field, text, isWhole) => {
  field.focus();
  if (isWhole) field.select();
  if (!document.execCommand("insertText", false, text)) {
    field.setRangeText(text, isWhole ? 0 : field.selectionStart, isWhole ? field.value.length : field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
};

// Examples fill in the field instead of loading the page; pieces of the language go where the cursor is.
for (const one of document.querySelectorAll("[data-example], [data-insert]")) {
  one.addEventListener("click", (event) => {
    event.preventDefault();
    const { example, insert } = one.dataset;
    const field = document.getElementById("condition");
    const before = field.value.slice(0, field.selectionStart);
    const start = before === "" || before.endsWith("\n") ? "" : "\n";
    fillIn(field, example ?? start + insert, example !== undefined);
  });
}

// What only a script can do.
for (const one of document.querySelectorAll(".scripted")) one.hidden = false;

// The rows of a list that have all words.
for (const search of document.querySelectorAll("[data-search]")) {
  const rows = [...document.getElementById(search.dataset.search).children];
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
  search.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
}

// What is filled in stays when one goes to another page and comes back; an address with values wins.
for (const form of document.querySelectorAll("form[data-keep]")) {
  const key = `form ${location.pathname}`;
  const fields = [...form.elements].filter((field) => field.name);
  const isBox = (field) => field.type === "checkbox";
  const keep = () => {
    const values = fields.map((field) => (isBox(field) ? field.checked : field.value));
    try { sessionStorage.setItem(key, JSON.stringify(values)); } catch { /* Nothing is kept. */ }
  };
  const isFresh = location.search === "" && !document.querySelector("[aria-invalid], [data-foreign]");
  let kept = null;
  try { kept = JSON.parse(sessionStorage.getItem(key)); } catch { /* As if nothing were kept. */ }
  if (isFresh && kept && kept.length === fields.length && document.getElementById("condition").value === "") {
    fields.forEach((field, place) => {
      const part = isBox(field) ? "checked" : "value";
      const options = field.closest("details");
      if (options && field[part] !== kept[place]) options.open = true;
      field[part] = kept[place];
    });
    document.getElementById("condition").dispatchEvent(new Event("input"));
  }
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  for (const one of form.querySelectorAll("[data-forget]")) {
    one.addEventListener("click", () => {
      try { sessionStorage.removeItem(key); } catch { /* Nothing is kept. */ }
    });
  }
}

// A field to copy is selected as a whole.
for (const field of document.querySelectorAll("[data-copy]")) {
  field.addEventListener("focus", () => field.select());
}
