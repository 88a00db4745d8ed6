// What the checks of served pages have in common: lines to print, tabs that record faults, axe-core, and
// the Nu HTML checker.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { PATIENCE } from "./patience.mjs";

const modules = path.join(path.dirname(fileURLToPath(import.meta.url)), "node_modules");
export const axe = fs.readFileSync(path.join(modules, "axe-core/axe.min.js"), "utf8");
const vnu = path.join(modules, "vnu-jar/build/dist/vnu.jar");

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const SCHEMES = ["light", "dark"];
const WIDTHS = [1280, 360];
export const PROBLEM = ".problem:not([hidden])"; // a message that is shown

/** Starts the browser. */
export const launched = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });

/** The checks of pages at this address; WORK is a folder for temporary files. */
export function checksOf(work, address) {
  let checks = 0;
  let failures = 0;

  /** Prints one check: the result, and the faults. */
  function tell(check, figure, wrong = []) {
    checks += 1;
    failures += wrong.length > 0 ? 1 : 0;
    console.log(`${(wrong.length > 0 ? "FAIL" : "ok").padEnd(5)}${check.padEnd(26)} ${figure}`);
    for (const one of wrong.slice(0, 8)) console.log(`       ${one}`);
  }

  /** Runs one check: it fails if its steps throw. `steps` returns the figure to print. */
  async function check(name, steps) {
    try {
      tell(name, await steps());
    } catch (error) {
      tell(name, "", [String(error.message).split("\n").slice(0, 4).join(" | ")]);
    }
  }

  function expect(holds, fault) {
    if (!holds) throw new Error(fault);
  }

  /** Opens a tab whose requests and console messages are recorded. */
  async function open(browser, { scripts = true, width = 1280, scheme = "light", scale = 1 } = {}) {
    const context = await browser.newContext({
      javaScriptEnabled: scripts,
      viewport: { width, height: 800 },
      colorScheme: scheme,
      deviceScaleFactor: scale,
      hasTouch: width < 600,
      isMobile: width < 600,
      acceptDownloads: true,
      baseURL: address,
    });
    const tab = await context.newPage();
    tab.setDefaultTimeout(PATIENCE);
    tab.faults = [];
    tab.on("console", (message) => {
      // The browser prints an error for every answer that refuses a form.
      if (message.text().includes("status of 422")) return;
      if (["error", "warning", "assert"].includes(message.type())) tab.faults.push(`console: ${message.text()}`);
    });
    tab.on("pageerror", (error) => tab.faults.push(`uncaught: ${error.message}`));
    tab.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:")) {
        tab.faults.push(`request elsewhere: ${url.slice(0, 200)}`);
      }
    });
    return tab;
  }

  /** Closes a tab; its recorded faults fail the check. */
  async function close(tab) {
    await tab.context().close();
    expect(tab.faults.length === 0, tab.faults.join("; "));
  }

  /** Pages whose HTML is kept for the Nu checker: names and files. */
  const kept = [];

  /**
   * Keeps a state of a page, and runs axe-core on it: both schemes, wide and narrow. `source` is its HTML
   * if the address alone does not give it.
   */
  async function inspect(tab, name, source) {
    const file = path.join(work, `${name}.html`);
    // Without a referrer, the server takes the address for a link on another site.
    const answer = () => tab.context().request.get(tab.url(), { headers: { referer: address } });
    fs.writeFileSync(file, source ?? (await (await answer()).text()));
    kept.push([name, file]);
    const before = tab.viewportSize();
    const wrong = [];
    let rules = 0;
    for (const colorScheme of SCHEMES) {
      for (const width of WIDTHS) {
        await tab.emulateMedia({ colorScheme });
        await tab.setViewportSize({ width, height: 800 });
        // The policy of the pages allows no scripts from elsewhere, so this one comes by the debugger.
        const debug = await tab.context().newCDPSession(tab);
        await debug.send("Runtime.evaluate", { expression: axe });
        const found = await tab.evaluate(
          (values) => globalThis.axe.run(document, { runOnly: { type: "tag", values } }),
          RULES,
        );
        rules += found.passes.length + found.violations.length;
        for (const violation of found.violations) {
          for (const node of violation.nodes) {
            wrong.push(`${violation.id} (${colorScheme}, ${width} px): ${node.target.join(" ")}: ${violation.help}`);
          }
        }
        const [wide, inner] = await tab.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        if (wide > inner) wrong.push(`scrolls sideways: ${wide} of ${inner} px`);
        await debug.detach();
      }
    }
    await tab.emulateMedia({ colorScheme: "light" });
    await tab.setViewportSize(before);
    tell(`axe ${name}`, `${wrong.length} faults, ${rules} rules passed or failed in 4 views`, wrong);
  }

  /** Waits until a job is over, and returns the words of its verdict. */
  async function verdict(tab) {
    await tab.waitForSelector(`.verdict .word, ${PROBLEM}`);
    const word = tab.locator(".verdict .word");
    if ((await word.count()) === 0) throw new Error(await tab.locator(PROBLEM).first().innerText());
    return (await word.innerText()).trim();
  }

  /** Waits until a job has a file with this ending, and returns its name and size. */
  async function downloaded(tab, ending = "") {
    const link = tab.locator(`a.button[href*='/file']${ending && `[href$='.${ending}']`}`);
    await link.waitFor();
    const [download] = await Promise.all([tab.waitForEvent("download"), link.click()]);
    return [download.suggestedFilename(), fs.statSync(await download.path()).size];
  }

  /** The Nu HTML checker on all kept states at once, because Java starts slowly. */
  function markup() {
    const files = kept.map(([, file]) => file);
    const args = ["-jar", vnu, "--format", "json", "--exit-zero-always", "--stdout", ...files];
    const told = JSON.parse(execFileSync("java", args, { maxBuffer: 1 << 28 })).messages;
    for (const [name, file] of kept) {
      const of = told.filter((one) => decodeURI(one.url ?? "").endsWith(file));
      const wrong = of.filter((one) => one.type !== "info" || one.subType === "warning");
      const line = (one) => `${one.type}, line ${one.lastLine}: ${one.message}`;
      tell(`markup ${name}`, `${wrong.length} errors and warnings`, wrong.map(line));
    }
  }

  /** Prints the number of checks; the program fails if one failed. */
  function told() {
    console.log(`${checks} checks, ${failures} failed`);
    process.exitCode = failures > 0 ? 1 : 0;
  }

  return { check, close, downloaded, expect, inspect, markup, open, tell, told, verdict };
}
