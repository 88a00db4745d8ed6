// Opens pages in a browser and checks them. scripts/browser.sh describes the checks and runs this:
//
//   node check.mjs WORK KEEP PAGE...
//
// WORK is a folder for temporary files. KEEP is a folder for pictures of the pages, or empty.
// Prints a line per check and page; exits with 1 if any fails.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { PATIENCE } from "./patience.mjs";

const [work, keep, ...files] = process.argv.slice(2);
const modules = path.join(path.dirname(fileURLToPath(import.meta.url)), "node_modules");
const axe = fs.readFileSync(path.join(modules, "axe-core/axe.min.js"), "utf8");
const vnu = path.join(modules, "vnu-jar/build/dist/vnu.jar");

const MOST_BYTES = 1_500_000; // of a page
const MOST_KEPT = 1_500_000; // of all pictures
const MOST_LISTED = 8; // listed faults per check
const SCHEMES = ["light", "dark"];
const WIDTHS = [1280, 360];
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let checks = 0;
let failures = 0;

/** Prints one check of one page: the result, and the faults. */
function tell(page, check, figure, wrong = []) {
  checks += 1;
  failures += wrong.length > 0 ? 1 : 0;
  const mark = wrong.length > 0 ? "FAIL" : "ok";
  console.log(`${mark.padEnd(5)}${page.name.padEnd(20)} ${check.padEnd(18)} ${figure}`);
  for (const one of wrong.slice(0, MOST_LISTED)) console.log(`       ${one}`);
  if (wrong.length > MOST_LISTED) console.log(`       and ${wrong.length - MOST_LISTED} more`);
}

const grouped = (number) => number.toLocaleString("en-GB");

/** The name of a page: its file, or its folder if all files have the same name. */
function named(file) {
  const stem = path.basename(file, ".html");
  return stem === "report" || stem === "index" ? path.basename(path.dirname(file)) : stem;
}

/** Opens a page, allows no request except the file itself, and records all events. */
async function open(browser, page, { script = true, scheme = "light", width = 1280, scale = 1 } = {}) {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(PATIENCE);
  const seen = { requests: 0, elsewhere: [], messages: [] };
  tab.on("console", (message) => {
    if (["error", "warn", "warning", "assert"].includes(message.type())) {
      seen.messages.push(`${message.type()}: ${message.text()}`);
    }
  });
  tab.on("pageerror", (error) => seen.messages.push(`uncaught: ${error.message}`));
  tab.on("requestfailed", (request) => seen.messages.push(`failed: ${request.url().slice(0, 200)}`));
  tab.on("request", (request) => {
    const url = request.url().split("#")[0];
    if (url.startsWith("data:")) return request.continue();
    seen.requests += 1;
    if (url === page.url) return request.continue();
    seen.elsewhere.push(url.slice(0, 200));
    return request.abort();
  });
  await tab.setRequestInterception(true);
  await tab.setJavaScriptEnabled(script);
  await tab.setViewport({ width, height: 800, deviceScaleFactor: scale });
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await tab.goto(page.url, { waitUntil: "load" });
  return { tab, seen };
}

/** Checks requests and console messages, with and without scripts. */
async function loading(browser, page) {
  const texts = [];
  for (const script of [true, false]) {
    const { tab, seen } = await open(browser, page, { script });
    // Wait for late requests and messages.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const how = script ? "scripts on" : "scripts off";
    tell(page, "requests", `${seen.requests}, ${how}`, seen.elsewhere);
    tell(page, "console", `${seen.messages.length} errors and warnings, ${how}`, seen.messages);
    texts.push(await tab.evaluate(() => document.body.innerText));
    await tab.close();
  }
  const same = texts[0] === texts[1] ? [] : ["the text differs without scripts"];
  tell(page, "text", `${grouped(texts[0].length)} characters, with scripts and without`, same);
}

/** Returns the structure of the page as plain values; runs in the page. */
function structure() {
  const spoken = (element) => {
    const label = element.getAttribute("aria-label")?.trim();
    const ids = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    const texts = ids.map((id) => document.getElementById(id)?.textContent.trim() ?? "");
    return label || texts.join(" ").trim() || element.querySelector(":scope > title")?.textContent.trim();
  };
  const shown = (element) => element.outerHTML.slice(0, 120).replace(/\s+/g, " ");
  const pictures = [...document.querySelectorAll("img, svg, canvas, object, [role=img]")];
  const images = pictures.filter((picture) => !picture.parentElement.closest("[role=img], svg"));
  const decorative = images.filter((image) => image.closest("[aria-hidden=true]") || image.getAttribute("alt") === "");
  const silent = images.filter(
    (image) => !decorative.includes(image) && !(image.tagName === "IMG" ? image.alt.trim() : spoken(image)),
  );
  const tables = [...document.querySelectorAll("table")];
  const tableFaults = tables.flatMap((table) => {
    const headers = [...table.querySelectorAll("th")];
    const faults = [];
    if (!table.caption?.textContent.trim()) faults.push("no caption");
    if (headers.length === 0) faults.push("no headers");
    if (headers.some((header) => !header.hasAttribute("scope"))) faults.push("a header without scope");
    return faults.map((fault) => `${fault}: ${table.caption?.textContent.trim() ?? shown(table)}`);
  });
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  const levels = headings.map((heading) => Number(heading.tagName[1]));
  const skips = headings
    .filter((_, place) => levels[place] > (place === 0 ? 0 : levels[place - 1]) + 1)
    .map((heading) => `skips a level: ${shown(heading)}`);
  const tops = levels.filter((level) => level === 1).length;
  if (tops !== 1) skips.push(`${tops} headings of level 1`);
  const basics = [];
  if (!document.documentElement.lang) basics.push("no lang");
  if (!document.title.trim()) basics.push("no title");
  if (!document.querySelector("meta[name=viewport][content*='width=device-width']")) basics.push("no viewport");
  if (!document.querySelector("meta[charset]")) basics.push("no charset");
  const links = [...document.querySelectorAll("[href], [src]")].map(
    (element) => element.getAttribute("href") ?? element.getAttribute("src"),
  );
  const anchors = links.filter((link) => link.startsWith("#") && link.length > 1);
  const lost = anchors.filter((link) => !document.getElementById(decodeURIComponent(link.slice(1))));
  return {
    images: images.length,
    decorative: decorative.length,
    silent: silent.map(shown),
    tables: tables.length,
    tableFaults,
    headings: levels.length,
    skips,
    basics,
    title: document.title,
    lang: document.documentElement.lang,
    links,
    lost,
    scripts: document.querySelectorAll("script").length,
  };
}

/** Checks the structure of a page. */
async function contents(browser, page) {
  const { tab } = await open(browser, page);
  const found = await tab.evaluate(structure);
  await tab.close();
  const spoken = found.images - found.decorative - found.silent.length;
  const besides = found.decorative > 0 ? `, ${found.decorative} decorative` : "";
  tell(page, "images", `${found.images} with alt ${spoken}${besides}`, found.silent);
  tell(page, "tables", `${found.tables} with caption and headers`, found.tableFaults);
  tell(page, "headings", `${found.headings} in order`, found.skips);
  tell(page, "basics", `${found.lang}, "${found.title}", ${found.scripts} scripts`, found.basics);
  const bytes = fs.statSync(page.file).size;
  const large = bytes < MOST_BYTES ? [] : [`more than ${grouped(MOST_BYTES)}`];
  tell(page, "size", `${grouped(bytes)} bytes`, large);
  const isLocal = (link) => !/^([a-z][a-z0-9+.-]*:|\/\/|#|$)/i.test(link);
  const local = found.links.filter(isLocal);
  const folder = path.dirname(page.file);
  const lost = local.filter((link) => {
    const place = path.resolve(folder, decodeURIComponent(link.split(/[?#]/)[0]));
    return !place.startsWith(folder + path.sep) || !fs.existsSync(place);
  });
  const inside = found.links.filter((link) => link.startsWith("#")).length;
  const outside = found.links.length - local.length - inside;
  const figure = `${local.length} to files, ${inside} within, ${outside} elsewhere`;
  tell(page, "links", figure, [...lost, ...found.lost].map((link) => `leads nowhere: ${link}`));
}

/** Runs axe-core and checks the width, in both schemes, wide and narrow. */
async function accessibility(browser, page) {
  for (const scheme of SCHEMES) {
    for (const width of WIDTHS) {
      const { tab } = await open(browser, page, { scheme, width });
      await tab.evaluate(axe);
      const found = await tab.evaluate(
        (values) => globalThis.axe.run(document, { runOnly: { type: "tag", values } }),
        RULES,
      );
      const asked = found.passes.length + found.violations.length + found.incomplete.length;
      const wrong = found.violations.flatMap((violation) =>
        violation.nodes.map((node) => `${violation.id}: ${node.target.join(" ")}: ${violation.help}`),
      );
      const ids = found.incomplete.map((rule) => rule.id).join(", ");
      const undecided = ids ? `, undecided: ${ids}` : "";
      const figure = `${found.violations.length} violations of ${asked} rules, ${scheme}, ${width} px${undecided}`;
      tell(page, "axe", figure, wrong);
      const [wide, inner] = await tab.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      tell(page, "width", `${wide} of ${inner} px, ${scheme}`, wide <= inner ? [] : ["scrolls sideways"]);
      await tab.close();
    }
  }
}

/** Runs the Nu HTML checker on all pages at once, because Java starts slowly. */
function markup(pages) {
  const args = ["-jar", vnu, "--format", "json", "--exit-zero-always", "--stdout", ...pages.map((page) => page.file)];
  const told = JSON.parse(execFileSync("java", args, { maxBuffer: 1 << 28 })).messages;
  for (const page of pages) {
    const of = told.filter((one) => decodeURI(one.url ?? "").endsWith(page.file));
    const wrong = of.filter((one) => one.type === "error" || one.type === "non-document-error");
    const warned = of.filter((one) => one.type === "info" && one.subType === "warning");
    const line = (one) => `${one.type === "error" ? "error" : "warning"}, line ${one.lastLine}: ${one.message}`;
    tell(page, "markup", `${wrong.length} errors, ${warned.length} warnings`, [...wrong, ...warned].map(line));
  }
  const others = told.filter((one) => !one.url);
  if (others.length > 0) throw new Error(others[0].message);
}

/** Checks the page on A4 paper, with a picture of every sheet. */
async function paper(browser, page) {
  const { tab } = await open(browser, page, { scheme: "dark" });
  // What the first sheet of an audit has.
  page.summary = await tab.evaluate(() => {
    const summary = document.querySelector(".summary");
    return summary && [...document.querySelectorAll("header > .kind, header > h1, .summary")].map((one) => one.innerText).join(" ");
  });
  const pdf = path.join(work, `${page.name}.pdf`);
  await tab.pdf({ path: pdf, format: "A4", printBackground: true, preferCSSPageSize: true });
  await tab.close();
  const info = execFileSync("pdfinfo", [pdf], { encoding: "utf8" });
  const said = (name) => info.match(new RegExp(`^${name}:\\s+(.*)$`, "m"))?.[1] ?? "";
  const [width, height] = said("Page size").match(/[\d.]+/g).map(Number);
  const isA4 = Math.abs(width - 595) < 2 && Math.abs(height - 842) < 2;
  execFileSync("pdftoppm", ["-r", "60", "-png", pdf, path.join(work, `${page.name}-print`)]);
  const sheets = fs.readdirSync(work).filter((name) => name.startsWith(`${page.name}-print-`)).sort();
  // Paper is white, whatever the screen: the corner of a page says which scheme was printed.
  const dark = sheets.filter((_, place) => corner(pdf, place + 1) < 200).map((sheet) => `${sheet} is dark`);
  const wrong = isA4 ? dark : [`pages are ${width} x ${height} pt`, ...dark];
  tell(page, "paper", `${sheets.length} pages of A4, in light colours`, wrong);
  page.sheets = sheets.map((sheet) => path.join(work, sheet));
  if (page.summary !== null) firstSheet(page, pdf, sheets.length);
}

/** Checks that the first sheet has the title and the whole summary, and nothing else but its number. */
function firstSheet(page, pdf, sheets) {
  const text = execFileSync("pdftotext", ["-f", "1", "-l", "1", "-layout", pdf, "-"], { encoding: "utf8" });
  // A table, a hyphen or a narrow column breaks lines elsewhere: words are compared, in any order.
  const words = (of) => of.split(/[^\p{L}\p{N}]+/u).filter(Boolean).sort();
  const has = words(text);
  const wanted = words(`${page.summary} 1 of ${sheets}`);
  const rest = [...has];
  const missing = wanted.filter((word) => {
    const place = rest.indexOf(word);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
  const wrong = [...missing.map((word) => `not on page 1: ${word}`), ...rest.map((word) => `also on page 1: ${word}`)];
  tell(page, "summary", `${wanted.length} words on page 1 of ${sheets}`, wrong);
}

/** Returns the brightness of the top left corner of a sheet, 0 to 255. */
function corner(pdf, sheet) {
  const pgm = execFileSync("pdftoppm", ["-q", "-r", "8", "-gray", "-f", `${sheet}`, "-l", `${sheet}`, pdf]);
  // P5, width and height, the highest value, then a byte a pixel.
  const header = pgm.subarray(0, 40).toString("latin1").match(/^P5\s+\d+\s+\d+\s+\d+\s/)[0];
  return pgm[header.length];
}

/** Makes pictures of all pages: the head in light, plots in dark, the head on a phone, two sheets. */
async function pictures(browser, pages) {
  fs.mkdirSync(keep, { recursive: true });
  const views = [
    ["light", { scheme: "light", scale: 0.75 }, 1280],
    ["dark", { scheme: "dark", scale: 0.75 }, 1280],
    ["narrow", { scheme: "light", width: 360 }, 360],
  ];
  const made = [];
  for (const page of pages) {
    for (const [view, how, width] of views) {
      const { tab } = await open(browser, page, how);
      const file = path.join(keep, `${page.name}-${view}.png`);
      const plots = view === "dark" && ((await tab.$("#points")) ?? (await tab.$("#tests")));
      const from = plots ? await plots.evaluate((section) => section.getBoundingClientRect().top + scrollY) : 0;
      const clip = { x: 0, y: from, width, height: width === 360 ? 800 : 1000 };
      await tab.screenshot({ path: file, clip, captureBeyondViewport: true });
      await tab.close();
      made.push(file);
    }
    for (const sheet of page.sheets.slice(0, 2)) {
      const file = path.join(keep, path.basename(sheet));
      fs.copyFileSync(sheet, file);
      made.push(file);
    }
  }
  execFileSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "--nofs", "64", ...made]);
  const bytes = made.reduce((sum, file) => sum + fs.statSync(file).size, 0);
  if (bytes > MOST_KEPT) throw new Error(`${grouped(bytes)} bytes of pictures are too many to keep`);
  console.log(`kept ${made.length} pictures, ${grouped(bytes)} bytes`);
}

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  userDataDir: path.join(work, "profile"),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
try {
  const pages = files.map((file) => {
    const whole = fs.realpathSync(file);
    return { file: whole, url: pathToFileURL(whole).href, name: named(whole) };
  });
  console.log(`# ${await browser.version()}, axe-core ${axe.match(/axe v([\d.]+)/)[1]}, Nu HTML checker`);
  for (const page of pages) {
    await loading(browser, page);
    await contents(browser, page);
    await accessibility(browser, page);
    await paper(browser, page);
  }
  markup(pages);
  if (keep) await pictures(browser, pages);
} finally {
  await browser.close();
}
console.log(`${checks} checks of ${files.length} pages, ${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;
