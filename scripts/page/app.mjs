// Uses the pages of `fairdeal serve` without a server, as WebAssembly in a browser, and compares their
// answers with those of the commands. scripts/browser.sh describes the checks and runs this:
//
//   node app.mjs WORK FOLDER FIXTURES FAIRDEAL [BOARDS]
//
// WORK is a folder for temporary files, FOLDER the folder of files that is served, FIXTURES the folder
// fixtures/, FAIRDEAL the program. An audit of BOARDS (1,000) boards is timed. Prints a line per check;
// exits with 1 if any fails.

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { checksOf, launched } from "./checks.mjs";
import { PATIENCE } from "./patience.mjs";

const [work, folder, fixtures, fairdeal, boards = "1000"] = process.argv.slice(2);
const NOTRUMP = "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)";
const LEAD = "hcp(south) >= 15 && hcp(north) >= 8";
const HAND = "KQ4.J9652.T8.643";
const command = (...args) => execFileSync(fairdeal, [...args, "--quiet"], { maxBuffer: 1 << 28 }).toString();
const record = path.join(fixtures, "records/sm0807.pbn");

/** Serves the parent of the folder, so that no page is at the root; resolves with the port. */
function served() {
  const server = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "-d", path.dirname(folder)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  return new Promise((resolve) => {
    let printed = "";
    server.stdout.on("data", (text) => {
      printed += text;
      const [, port] = printed.match(/port (\d+) /) ?? [];
      if (port) resolve([server, `http://127.0.0.1:${port}`]);
    });
  });
}

const [server, origin] = await served();
const address = `${origin}/${path.basename(folder)}/`;
const { check, close, expect, inspect, markup, open, told, verdict } = checksOf(work, address);

/** Opens the shell, and returns its tab and its frame when a page is there. */
async function shell(browser, how) {
  const tab = await open(browser, how);
  return [tab, await entered(tab)];
}

/** Loads the shell, and returns its frame when a page is there. */
async function entered(tab, to = "") {
  await tab.goto(`${address}${to}`);
  // Another fragment alone loads nothing.
  if (to) await tab.reload();
  const frame = await (await tab.waitForSelector("iframe:visible")).contentFrame();
  await frame.waitForSelector("h1");
  return frame;
}

/** Goes to a page by the menu. */
async function go(frame, title) {
  await frame.click(`nav >> text="${title}"`);
  await frame.waitForSelector(`h1:has-text("${title}")`);
}

/** Waits until a job has a file with this ending, and returns its name and text. */
async function downloaded(tab, frame, ending = "") {
  const link = frame.locator(`a.button[href*='/file']${ending && `[href$='.${ending}']`}`);
  await link.waitFor();
  const [download] = await Promise.all([tab.waitForEvent("download"), link.click()]);
  return [download.suggestedFilename(), fs.readFileSync(await download.path(), "utf8")];
}

/** Inspects the page of a frame in a tab of its own: the shell answers it there too. */
async function inspectFrame(tab, frame, name) {
  const own = await tab.context().newPage();
  await own.goto(frame.url());
  const source = await own.evaluate(() => fetch(location.href).then((answer) => answer.text()));
  await inspect(own, name, source);
  await own.close();
}

async function deal(tab, frame, seed) {
  await go(frame, "Deal");
  await frame.fill("#condition", NOTRUMP);
  await frame.fill("#boards", "36");
  await frame.fill("#seed", seed);
  await frame.click("#deal-form button[type=submit] >> nth=0");
  const [name, text] = await downloaded(tab, frame, "pbn");
  const of = command("deal", "--where", NOTRUMP, "-n", "36", "--seed", seed, "--format", "pbn");
  expect(text === of, `${name} differs from the command's boards`);
  return `${name}, ${text.length} bytes, equal to those of the command`;
}

/** Compares the tests of the audit that is shown with those of the command for the same file. */
async function compareTests(frame, file) {
  const link = await frame.locator("a[href*='/reports/']").first().getAttribute("href");
  const table = link.replace(/[^/]*$/, "tests.csv");
  const tests = await frame.evaluate((of) => fetch(of).then((answer) => answer.text()), table);
  const out = fs.mkdtempSync(path.join(work, "audit-"));
  try {
    command("audit", file, "--out", path.join(out, "report"));
  } catch (error) {
    if (![2, 3, 4].includes(error.status)) throw error;
  }
  expect(tests === fs.readFileSync(path.join(out, "report/tests.csv"), "utf8"), "tests.csv differs from the command's");
}

/** Largest memory of a process that shows pages, in MB. */
async function mostMemory(browser) {
  const { processInfo } = await (await browser.newBrowserCDPSession()).send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  const kilobytes = renderers.map(({ id }) => Number(fs.readFileSync(`/proc/${id}/status`, "utf8").match(/VmHWM:\s*(\d+)/)[1]));
  return Math.round(Math.max(...kilobytes) / 1000);
}

const seconds = (begun) => `${((performance.now() - begun) / 1000).toFixed(2)} s`;

/** Everything of one visitor, then without the server. */
async function visit(browser) {
  let [tab, frame] = [];
  await check("first answer", async () => {
    const begun = performance.now();
    [tab, frame] = await shell(browser);
    const first = seconds(begun);
    await tab.evaluate(() => navigator.serviceWorker.ready);
    const again = performance.now();
    frame = await entered(tab);
    const later = seconds(again);
    // The checker reads a file, for which the policy's 'self' is nothing.
    const source = fs.readFileSync(path.join(folder, "index.html"), "utf8");
    await inspect(tab, "shell", source.replace(/<meta http-equiv.*\n/, ""));
    await inspectFrame(tab, frame, "home");
    return `${first}; a later visit ${later}`;
  });
  await check("deal", async () => {
    const line = await deal(tab, frame, "2026");
    await inspectFrame(tab, frame, "deal-result");
    return line;
  });
  await check("samples as it is typed", async () => {
    await go(frame, "Deal");
    await frame.fill("#condition", NOTRUMP);
    const place = frame.locator("#condition-check :has-text('Probability') >> nth=0");
    await place.waitFor();
    return (await frame.locator("#condition-check").innerText()).split("\n")[0];
  });
  await check("theory", async () => {
    await go(frame, "Theory");
    await frame.fill("#condition", NOTRUMP);
    await frame.click("#theory-form button[type=submit]");
    const fraction = await frame.locator("#a-fraction").inputValue();
    const of = JSON.parse(command("theory", "--where", NOTRUMP, "--json")).probability.fraction;
    expect(fraction === of, `${fraction} is not ${of}`);
    await inspectFrame(tab, frame, "theory-result");
    return fraction;
  });
  await check("audit of a dropped file", async () => {
    await go(frame, "Audit");
    const base64 = fs.readFileSync(record).toString("base64");
    const dropped = await frame.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], "sm0807.pbn"));
      return transfer;
    }, base64);
    await frame.dispatchEvent("[data-drop]", "drop", { dataTransfer: dropped });
    await frame.click("#audit-form button[type=submit]");
    const word = await verdict(frame);
    await compareTests(frame, record);
    await inspectFrame(tab, frame, "audit-result");
    return `${word}; tests.csv equal to that of the command`;
  });
  await check("convert", async () => {
    await go(frame, "Convert");
    await frame.setInputFiles("#files", [record]);
    await frame.selectOption("#format", "oneline");
    await frame.click("#convert-form button[type=submit]");
    const [name, text] = await downloaded(tab, frame);
    const out = path.join(work, "boards.txt");
    execFileSync(fairdeal, ["convert", record, "-o", out, "--format", "oneline"], { stdio: "ignore" });
    expect(text === fs.readFileSync(out, "utf8"), `${name} differs from the command's boards`);
    return `${name}, equal to that of the command`;
  });
  await check("leads", async () => {
    await go(frame, "Leads");
    await frame.fill("#condition", LEAD);
    await frame.fill("#hand", HAND);
    await frame.fill("#contract", "3NT");
    await frame.click("summary >> text=Options");
    await frame.fill("#deals", "16");
    await frame.fill("#seed", "1");
    const begun = performance.now();
    await frame.click("#leads-form button[type=submit]");
    await frame.waitForSelector("main table tbody tr");
    const time = seconds(begun);
    const shown = await frame.locator("main table").first().locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.cells[0].innerText.trim()));
    const found = JSON.parse(command("lead", "--where", LEAD, "--hand", `west=${HAND}`, "--contract", "3NT", "--by", "south", "--seed", "1", "-n", "16", "--json"));
    const of = (found.candidates ?? found.rows ?? found.leads).map((row) => row.candidate ?? row.lead ?? row.name);
    expect(shown.join() === of.join(), `${shown} is not ${of}`);
    await inspectFrame(tab, frame, "leads-result");
    return `${shown[0]} is best of ${shown.length}, as by the command, ${time}`;
  });
  await check("progress and Stop", async () => {
    await go(frame, "Leads");
    await frame.fill("#condition", LEAD);
    await frame.fill("#hand", HAND);
    await frame.fill("#contract", "3NT");
    await frame.click("summary >> text=Options");
    await frame.fill("#deals", "5000");
    await frame.click("#leads-form button[type=submit]", { noWaitAfter: true });
    const words = tab.locator("section p");
    await words.waitFor();
    const [first, begun] = [await words.innerText(), performance.now()];
    await tab.waitForFunction((before) => document.querySelector("section p").innerText !== before, first);
    const [later, share] = [await words.innerText(), await tab.locator("section progress").getAttribute("value")];
    await tab.click("section button");
    await frame.waitForURL(/\/jobs\//);
    await words.waitFor({ state: "hidden" });
    const note = await frame.locator("main").innerText();
    expect(!note.includes("5,000 of 5,000"), "the job was not stopped");
    await deal(tab, frame, "11");
    return `"${first}", then "${later}" (${share} %); stopped after ${seconds(begun)}, and boards dealt after it`;
  });
  await check("tournament", async () => {
    await go(frame, "Tournament");
    const files = ["wbg2024.sqd", "wbg2024.sqk", "wbg2024-deals.txt"];
    await frame.setInputFiles("#files", files.map((name) => path.join(fixtures, "squaredeal", name)));
    await frame.click("#tournament-form button[type=submit]");
    return verdict(frame);
  });
  await check("wrong values", async () => {
    await go(frame, "Deal");
    await frame.fill("#condition", "hcp(nroth) >= 20");
    await frame.click("#deal-form button[type=submit] >> nth=0");
    const message = frame.locator("#condition-error:visible");
    await message.waitFor();
    return (await message.innerText()).split("\n")[0];
  });
  await check("without the server", async () => {
    server.kill();
    await tab.context().setOffline(true);
    frame = await entered(tab, "#/theory");
    expect((await frame.title()).startsWith("Theory"), "the address of the page is lost");
    return deal(tab, frame, "7");
  });
  await check("console and requests", async () => {
    await close(tab);
    return "nothing said, and nothing asked of others";
  });
}

async function phone(browser) {
  const [tab, frame] = await shell(browser, { width: 360 });
  await check("phone", async () => {
    await go(frame, "Deal");
    await frame.fill("#condition", "hcp(north) >= 20");
    await frame.tap("#deal-form button[type=submit] >> nth=0");
    await frame.locator("a.button[href*='/file']").first().waitFor();
    const wide = await frame.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= 360, `scrolls sideways: ${wide} of 360 px`);
    await close(tab);
    return `${wide} px wide`;
  });
}

async function large(browser) {
  await check(`audit of ${boards} boards`, async () => {
    const file = path.join(work, "large.txt");
    fs.writeFileSync(file, command("deal", "unconstrained", "-n", boards, "--seed", "5", "--format", "line"));
    const [tab, frame] = await shell(browser);
    await go(frame, "Audit");
    await frame.setInputFiles("#files", [file]);
    const begun = performance.now();
    await frame.click("#audit-form button[type=submit]");
    await frame.waitForSelector(".verdict .word", { timeout: 10 * PATIENCE });
    const [word, time] = [await verdict(frame), seconds(begun)];
    const memory = await mostMemory(browser);
    await compareTests(frame, file);
    await close(tab);
    return `${word}, ${time}, at most ${memory} MB of memory; tests.csv equal to that of the command`;
  });
}

const browser = await launched();
try {
  console.log(`# Chromium ${browser.version()}`);
  await phone(browser);
  await large(browser);
  await visit(browser);
  markup();
} finally {
  await browser.close();
  server.kill();
}
told();
