// Uses the pages of `fairdeal serve` as a person would, and checks them. scripts/browser.sh describes
// the checks and runs this:
//
//   node serve.mjs WORK KEEP ADDRESS FIXTURES FAIRDEAL
//
// WORK is a folder for temporary files. KEEP is a folder for pictures, or empty. ADDRESS is that of
// a server with an empty folder of reports. FIXTURES is the folder fixtures/, FAIRDEAL the program.
// Prints a line per check; exits with 1 if any fails.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { axe, checksOf, launched, PROBLEM } from "./checks.mjs";
import { PATIENCE } from "./patience.mjs";
import { formChecks } from "./serve-forms.mjs";

const [work, keep, address, fixtures, fairdeal] = process.argv.slice(2);
const MOST_KEPT = 1_500_000; // bytes of all pictures
const FOUR_DEALS = [
  "N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4",
  "N:T82.753.83.KJ972 954..KT7642.AT84 A7.QT642.J95.Q65 KQJ63.AKJ98.AQ.3",
].join("\n");
const { check, close, downloaded, expect, inspect, markup, open, told, verdict } = checksOf(work, address);

/** Presses Tab until an element has the focus; fails if it never has. */
async function tabTo(tab, selector) {
  for (let pressed = 0; pressed < 60; pressed += 1) {
    if (await tab.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return pressed;
    await tab.keyboard.press("Tab");
  }
  throw new Error(`60 presses of Tab do not reach ${selector}`);
}

const record = (name) => path.join(fixtures, "records", name);

/** A tournament of 2024: its description, its keys, and a file of its boards. */
const TOURNAMENT = ["wbg2024.sqd", "wbg2024.sqk", "wbg2024-deals.txt"].map((name) =>
  path.join(fixtures, "squaredeal", name),
);

/** Files in other formats, and a tournament, by mouse, keyboard and phone. */
async function files(browser) {
  await check("convert a file", async () => {
    const tab = await open(browser);
    await tab.goto("/convert");
    await inspect(tab, "convert");
    await tab.setInputFiles("#files", [record("sm0807.pbn")]);
    await tab.selectOption("#format", "lin");
    await tab.click("summary >> text=Options");
    await tab.check("#also-dup");
    await tab.check("#also-html");
    await tab.click("#convert-form button[type=submit]");
    const [name, size] = await downloaded(tab);
    expect(name === "boards.zip", name);
    const notes = await tab.locator("main li").count();
    expect(notes > 0, "no note says what is lost");
    await inspect(tab, "convert-result");
    await close(tab);
    return `${name}, ${size} bytes, ${notes} notes`;
  });
  await check("two formats of one ending", async () => {
    const tab = await open(browser);
    await tab.goto("/convert");
    await tab.fill("#text", FOUR_DEALS);
    await tab.selectOption("#format", "line");
    await tab.click("summary >> text=Options");
    await tab.check("#also-oneline");
    await tab.click("#convert-form button[type=submit]");
    const message = tab.locator("#format-error:visible");
    await message.waitFor();
    const words = (await message.innerText()).trim();
    await inspect(tab, "convert-wrong", await tab.content());
    await tab.uncheck("#also-oneline");
    await tab.click("#convert-form button[type=submit]");
    const [name] = await downloaded(tab);
    await close(tab);
    return `${words}; then ${name}`;
  });
  await check("verify dropped files", async () => {
    const tab = await open(browser);
    await tab.goto("/tournament");
    await inspect(tab, "tournament");
    const contents = TOURNAMENT.map((file) => [path.basename(file), fs.readFileSync(file).toString("base64")]);
    const dropped = await tab.evaluateHandle((all) => {
      const transfer = new DataTransfer();
      for (const [name, text] of all) {
        const content = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([content], name));
      }
      return transfer;
    }, contents);
    await tab.dispatchEvent("[data-drop]", "drop", { dataTransfer: dropped });
    await tab.click("#tournament-form button[type=submit]");
    const word = await verdict(tab);
    await inspect(tab, "tournament-result");
    await tab.goto("/tournament");
    await tab.setInputFiles("#files", [TOURNAMENT[0], TOURNAMENT[1], record("sm0807.pbn")]);
    await tab.click("#tournament-form button[type=submit]");
    const other = await verdict(tab);
    expect(other === "DIFFERENT", `other boards are ${other}`);
    await inspect(tab, "tournament-different");
    await close(tab);
    return `${word}; ${other}`;
  });
  await check("new, value, deal, verify", async () => {
    const tab = await open(browser);
    const folder = fs.mkdtempSync(path.join(work, "tournament-"));
    const saved = async (button) => {
      const [download] = await Promise.all([tab.waitForEvent("download"), button.click()]);
      const file = path.join(folder, download.suggestedFilename());
      await download.saveAs(file);
      return file;
    };
    const file = (name) => path.join(folder, name);
    const result = tab.locator("a.button[href*='/file']");
    await tab.goto("/tournament");
    await tab.fill("#name", "Spring Pairs");
    await tab.fill("#value_name", "closing Dow Jones of 2027-03-19");
    await tab.fill("#event", "spring");
    await tab.fill("#phases", "2:1-8,9-16:S#:Session #/2");
    execFileSync("unzip", ["-q", await saved(tab.locator("#new-form button")), "-d", folder]);
    await tab.setInputFiles("#files", [file("spring.sqd")]);
    await tab.fill("#value", "44,882.13");
    await tab.click("button[value=value]");
    await saved(result);
    await inspect(tab, "tournament-value");
    const event = ["spring.sqd", "spring.sqk"].map(file);
    await tab.goto("/tournament");
    await tab.setInputFiles("#files", event);
    await tab.selectOption("#format", "lin");
    await tab.click("button[value=deal]");
    execFileSync("unzip", ["-q", await saved(result), "-d", folder]);
    await inspect(tab, "tournament-dealt");
    // The command deals the same.
    execFileSync(fairdeal, ["squaredeal", "deal", ...event, "--format", "lin", "--out", file("command")]);
    for (const name of ["S1.lin", "S2.lin"]) {
      const [page, command] = [file(name), file(`command/${name}`)].map((of) => fs.readFileSync(of, "utf8"));
      expect(page === command, `${name} differs from that of the command`);
    }
    await tab.goto("/tournament");
    await tab.setInputFiles("#files", [...event, file("S1.lin"), file("S2.lin")]);
    await tab.click("button[value=verify]");
    const word = await verdict(tab);
    expect(word === "all boards agree", word);
    await close(tab);
    return word;
  });
  await check("a tournament without keys", async () => {
    const tab = await open(browser);
    await tab.goto("/tournament");
    await tab.setInputFiles("#files", [TOURNAMENT[0], record("sm0807.pbn")]);
    await tab.click("#tournament-form button[type=submit]");
    const message = tab.locator("#files-error:visible");
    await message.waitFor();
    const words = (await message.innerText()).trim();
    await inspect(tab, "tournament-wrong", await tab.content());
    await close(tab);
    return words;
  });
  await check("convert, keyboard", async () => {
    const tab = await open(browser);
    await tab.goto("/convert");
    await tabTo(tab, "#text");
    await tab.keyboard.type(FOUR_DEALS);
    await tabTo(tab, "summary");
    await tab.keyboard.press("Enter");
    await tabTo(tab, "#also-lin");
    await tab.keyboard.press("Space");
    await tabTo(tab, "#convert-form button[type=submit]");
    await tab.keyboard.press("Enter");
    const [name] = await downloaded(tab);
    expect(name === "boards.zip", name);
    await close(tab);
    return name;
  });
  for (const [page, form, chosen] of [
    ["/convert", "#convert-form", [record("sm0807.pbn")]],
    ["/tournament", "#tournament-form", TOURNAMENT],
  ]) {
    for (const how of [{ width: 360 }, { scripts: false }]) {
      await check(`${page.slice(1)}, ${how.width ? "phone" : "no scripts"}`, async () => {
        const tab = await open(browser, how);
        await tab.goto(page);
        await tab.setInputFiles("#files", chosen);
        if (how.width) await tab.tap(`${form} button[type=submit]`);
        else await tab.click(`${form} button[type=submit]`);
        await tab.waitForSelector(".verdict .word, a.button[href*='/file']");
        if (how.width) {
          const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
          expect(wide <= 360, `scrolls sideways: ${wide} of 360 px`);
        }
        await close(tab);
        return new URL(tab.url()).pathname.replace(/[0-9a-f]{8,}/, "ID");
      });
    }
  }
}

const { wrongValues, otherSites } = formChecks({
  address, check, close, expect, inspect, open, record, verdict, deals: FOUR_DEALS,
});

/** Every page by mouse. */
async function byMouse(browser) {
  await check("home, mouse", async () => {
    const tab = await open(browser);
    await tab.goto("/");
    await inspect(tab, "home");
    await tab.click("main a[href='/audit']");
    expect(new URL(tab.url()).pathname === "/audit", tab.url());
    await inspect(tab, "audit");
    await close(tab);
    return "leads to the audit";
  });
  await check("audit of a file", async () => {
    const tab = await open(browser);
    await tab.goto("/audit");
    await tab.setInputFiles("#files", [record("sm0807.pbn")]);
    await tab.click("#audit-form button[type=submit]");
    const word = await verdict(tab);
    expect(word === "INCONCLUSIVE", `the verdict is ${word}`);
    expect((await tab.locator("#sources tbody tr").count()) === 1, "one file in the table");
    await inspect(tab, "audit-result");
    const report = tab.locator("a.button").first();
    await report.click();
    await tab.waitForSelector("h1");
    const title = await tab.title();
    // Styles and plots of the report are not stopped by the policy of the server.
    const drawn = await tab.evaluate(() => getComputedStyle(document.body).fontFamily);
    expect(!drawn.includes("Times"), "the report has no style");
    await close(tab);
    return `${word}, report "${title}"`;
  });
  await check("audit of dropped files", async () => {
    const tab = await open(browser);
    await tab.goto("/audit");
    const bytes = fs.readFileSync(record("sm0807.pbn")).toString("base64");
    const dropped = await tab.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], "dropped.pbn"));
      return transfer;
    }, bytes);
    await tab.dispatchEvent("[data-drop]", "drop", { dataTransfer: dropped });
    await tab.click("#audit-form button[type=submit]");
    const word = await verdict(tab);
    const file = await tab.locator("#sources tbody th").first().innerText();
    expect(file === "dropped.pbn", `the file is called ${file}`);
    await close(tab);
    return word;
  });
  await check("boards that are not legal", async () => {
    const tab = await open(browser);
    await tab.goto("/audit");
    await tab.fill("#text", `${FOUR_DEALS}\nN:K862.T2.T9742.82 K862.T2.T9742.82 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4`);
    await tab.click("#audit-form button[type=submit]");
    const word = await verdict(tab);
    expect(word === "INVALID", `the verdict is ${word}`);
    const reason = await tab.locator("#problems tbody tr td").last().innerText();
    expect(reason.length > 5, "no reason is given");
    await inspect(tab, "audit-invalid");
    await close(tab);
    return reason;
  });
  await check("a file that is not deals", async () => {
    const tab = await open(browser);
    await tab.goto("/audit");
    await tab.setInputFiles("#files", { name: "<b>&.pbn", mimeType: "text/plain", buffer: Buffer.from("hello\n") });
    await tab.click("#audit-form button[type=submit]");
    await tab.waitForSelector(PROBLEM);
    const words = (await tab.locator(PROBLEM).first().innerText()).trim();
    expect(!(await tab.locator(".problem b").count()), "the name of a file is taken as HTML");
    await inspect(tab, "audit-refused");
    await close(tab);
    return words;
  });
}

/** Runs: start, live figures, stop, resume, compare. */
async function runs(browser) {
  await check("a run to its verdict", async () => {
    const tab = await open(browser);
    await tab.goto("/runs");
    await inspect(tab, "runs-empty");
    await tab.fill("#run-form #condition", "nine-spades");
    await tab.fill("#deals", "2M");
    await tab.fill("#seed", "1");
    await tab.click("#run-form button[type=submit]");
    const word = await verdict(tab);
    expect(word === "PASS", `the verdict is ${word}`);
    await inspect(tab, "run-result");
    await close(tab);
    return word;
  });
  await check("stop and resume", async () => {
    const tab = await open(browser);
    await tab.goto("/runs");
    await tab.fill("#run-form #condition", "nine-spades");
    await tab.fill("#deals", "100M");
    await tab.fill("#seed", "2");
    await tab.click("#run-form button[type=submit]");
    await tab.waitForSelector("[data-status=done]");
    const seen = new Set();
    const until = Date.now() + PATIENCE;
    while (seen.size < 4 && Date.now() < until) {
      seen.add(await tab.locator("[data-status=done]").innerText());
      await tab.waitForTimeout(200);
    }
    expect(seen.size >= 4, `live figures do not move: ${[...seen].join(", ")}`);
    const rate = await tab.locator("[data-status=rate]").innerText();
    expect(rate.length > 0, "no rate");
    await inspect(tab, "run-progress");
    await tab.click("button >> text=Stop");
    await tab.waitForSelector("button >> text=Resume");
    await tab.click("button >> text=Resume");
    await tab.waitForSelector("[data-status=done]");
    await tab.click("button >> text=Stop");
    await tab.waitForSelector("button >> text=Resume");
    await close(tab);
    return `${seen.size} figures seen live, ${rate}`;
  });
  await check("compare two runs", async () => {
    const tab = await open(browser);
    await tab.goto("/runs");
    await tab.fill("#run-form #condition", "nine-spades");
    await tab.fill("#deals", "2M");
    await tab.fill("#seed", "3");
    await tab.click("#run-form button[type=submit]");
    await verdict(tab);
    await tab.goto("/runs");
    await inspect(tab, "runs");
    const names = await tab.locator("#compare-form #a option").allInnerTexts();
    const finished = names.filter((name) => name.startsWith("nine-spades"));
    expect(finished.length >= 2, `the reports are ${names.join(", ")}`);
    await tab.selectOption("#a", finished[0]);
    await tab.selectOption("#b", finished[1]);
    await tab.click("#compare-form button[type=submit]");
    const word = await verdict(tab);
    await inspect(tab, "comparison");
    await close(tab);
    return `${finished[0]} and ${finished[1]}: ${word}`;
  });
}

/** Deals: errors as one types, probability, samples, a set in all formats. */
async function deals(browser) {
  await check("condition with an error", async () => {
    const tab = await open(browser);
    await tab.goto("/deal");
    await tab.click("#condition");
    await tab.keyboard.type("hcp(north) >= 15 &&\nhearts(soth) >= 5");
    const place = tab.locator("#condition-check");
    await place.locator("text=soth").first().waitFor();
    const words = (await place.innerText()).replace(/\s+/g, " ");
    for (const said of ["2", "^", "south"]) expect(words.includes(said), `no ${said} in: ${words}`);
    await inspect(tab, "deal-error");
    await close(tab);
    return words.slice(0, 120);
  });
  await check("probability and samples", async () => {
    const tab = await open(browser);
    await tab.goto("/deal");
    await inspect(tab, "deal");
    await tab.click("#condition");
    await tab.keyboard.type("hcp(north) >= 20");
    const begin = Date.now();
    await tab.locator("#condition-check >> text=/1 in/").first().waitFor();
    const after = Date.now() - begin;
    const words = (await tab.locator("#condition-check").innerText()).replace(/\s+/g, " ");
    await tab.goto("/deal?condition=hcp(north)%20%3E%3D%2020");
    await inspect(tab, "deal-checked");
    await close(tab);
    return `${words.slice(0, 80)}; after ${after} ms`;
  });
  await check("a set to download", async () => {
    const tab = await open(browser);
    const sizes = [];
    await tab.goto("/deal");
    await tab.fill("#condition", "hcp(south) >= 15");
    await tab.fill("#boards", "36");
    await tab.fill("#seed", "7");
    await tab.click("#deal-form button[type=submit] >> nth=0");
    for (const format of ["zip", "pbn", "lin", "dup", "csv", "json", "rbn", "txt"]) {
      const [name, size] = await downloaded(tab, format);
      expect(name === `36-boards.${format}`, name);
      sizes.push(`${format} ${size} bytes`);
    }
    expect(!(await tab.locator(".deal").first().isVisible()), "the hands are shown before anybody asks");
    await tab.click("summary >> text=Show the hands");
    expect(await tab.locator(".deal").first().isVisible(), "the hands stay hidden");
    await inspect(tab, "deal-set", await tab.content());
    await close(tab);
    return sizes.join(", ");
  });
  await check("what is typed is kept", async () => {
    const tab = await open(browser);
    await tab.goto("/deal");
    await tab.fill("#condition", "hcp(south) >= 15");
    await tab.click("[data-example] >> nth=0");
    expect((await tab.inputValue("#condition")).includes("#mix:"), "the lesson is not filled in");
    await tab.keyboard.press("Control+z");
    expect((await tab.inputValue("#condition")) === "hcp(south) >= 15", "an example cannot be undone");
    await tab.fill("#event", "Lesson");
    await tab.goto("/theory");
    await tab.goto("/deal");
    const kept = [await tab.inputValue("#condition"), await tab.inputValue("#event")];
    expect(kept.join() === "hcp(south) >= 15,Lesson", `kept: ${kept}`);
    await tab.click("text=Empty the form");
    await tab.waitForLoadState();
    expect((await tab.inputValue("#condition")) === "", "the form is not empty");
    await close(tab);
    return kept.join(", ");
  });
  await check("help with the language", async () => {
    const tab = await open(browser);
    await tab.goto("/deal");
    await tab.click("summary >> text=Help with the language");
    const rows = tab.locator("#language-help > div:visible");
    const all = await rows.count();
    await tab.fill("#help-search", "length of");
    const found = await rows.count();
    expect(found > 0 && found < all, `${found} of ${all} rows`);
    await tab.click("#language-help > div:visible button >> nth=0");
    const filled = await tab.inputValue("#condition");
    expect(filled.length > 5, "nothing is inserted");
    await inspect(tab, "deal-help", await tab.content());
    await close(tab);
    return `${found} of ${all} rows; inserted ${filled}`;
  });
}

/** Prints the sheets of the set that is shown, and returns their number; keeps a picture of the last. */
async function printedSheets(tab, name) {
  const file = path.join(work, `${name}.pdf`);
  await tab.waitForSelector("article.board");
  fs.writeFileSync(file, await tab.pdf({ preferCSSPageSize: true }));
  const [, pages] = execFileSync("pdfinfo", [file]).toString().match(/Pages:\s+(\d+)/);
  if (keep) {
    fs.mkdirSync(keep, { recursive: true });
    execFileSync("pdftoppm", ["-r", "60", "-png", "-l", "6", file, path.join(keep, name)]);
  }
  return Number(pages);
}

/** A lesson of 16 boards of three types, from the first page to paper. */
async function lessons(browser) {
  const checkSheets = async (tab, name, sheets) => {
    const pages = await printedSheets(tab, name);
    expect(pages === sheets, `${pages} pages, expected ${sheets}`);
    const text = await tab.locator("main").innerText();
    for (const of of ["game", "invitation", "raise"]) expect(text.includes(of), `no board of the type ${of}`);
    expect((await tab.locator("section:not(.alone) article.board").count()) === 16, "not 16 boards");
    return `${pages} pages`;
  };
  await check("lesson, mouse", async () => {
    const tab = await open(browser);
    await tab.goto("/");
    await tab.click("main a[href='/deal']");
    await tab.click("text=Raise of a major");
    await tab.locator(".types .bar").first().waitFor();
    const shares = (await tab.locator(".types tbody").innerText()).replace(/\s+/g, " ");
    await inspect(tab, "deal-lesson", await tab.content());
    await tab.fill("#boards", "16");
    await tab.fill("#event", "Raises");
    await tab.click("summary >> text=Sheets to print");
    await tab.selectOption("#per_page", "18");
    for (const seat of ["north", "east", "south", "west"]) await tab.check(`#alone-${seat}`);
    await tab.check("#answers");
    await tab.check("#solve");
    await tab.click("#deal-form button[type=submit] >> nth=0");
    const sheets = tab.locator("a.button >> text=Sheets to print");
    await sheets.waitFor();
    await inspect(tab, "deal-lesson-set", await tab.content());
    await sheets.click();
    const pages = await checkSheets(tab, "lesson-mouse", 6);
    await tab.goBack();
    const seed = await tab.locator("dt:text-is('Seed') + dd").innerText();
    await tab.click("text=Deal these boards again");
    expect((await tab.inputValue("#seed")) === seed, "the form has another seed");
    await tab.goBack();
    await tab.click("text=Open this form again");
    expect((await tab.inputValue("#event")) === "Raises", "the form is not filled in again");
    expect(await tab.isVisible("#alone-north"), "the options of the sheets are hidden");
    await close(tab);
    return `${pages}; ${shares}`;
  });
  await check("lesson, keyboard", async () => {
    const tab = await open(browser);
    await tab.goto("/");
    await tabTo(tab, "nav a[href='/deal']");
    await tab.keyboard.press("Enter");
    await tab.waitForURL("**/deal");
    await tabTo(tab, "[data-example]");
    await tab.keyboard.press("Enter");
    expect(await tab.evaluate(() => document.activeElement.id) === "condition", "the focus is not on the condition");
    await tabTo(tab, "#boards");
    await tab.keyboard.press("Control+a");
    await tab.keyboard.type("16");
    await tabTo(tab, ".settings summary");
    await tab.keyboard.press("Enter");
    await tabTo(tab, "#per_page");
    await tab.keyboard.press("End");
    await tabTo(tab, "#answers");
    await tab.keyboard.press("Space");
    await tabTo(tab, "#deal-form button[type=submit]");
    await tab.keyboard.press("Enter");
    await tab.locator("a.button >> text=Sheets to print").waitFor();
    await tabTo(tab, "a.button");
    await tab.keyboard.press("Enter");
    const pages = await checkSheets(tab, "lesson-keyboard", 2);
    await close(tab);
    return pages;
  });
  await check("lesson, phone", async () => {
    const tab = await open(browser, { width: 360 });
    await tab.goto("/");
    await tab.tap("main a[href='/deal']");
    await tab.tap("text=Raise of a major");
    await tab.fill("#boards", "16");
    await tab.tap("#deal-form button[type=submit] >> nth=0");
    const sheets = tab.locator("a.button >> text=Sheets to print");
    await sheets.waitFor();
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= 360, `scrolls sideways: ${wide} of 360 px`);
    await sheets.tap();
    const pages = await checkSheets(tab, "lesson-phone", 4);
    await close(tab);
    return pages;
  });
}

/** Theory: tables and plots, a fraction to copy, two conditions. */
async function theory(browser) {
  await check("tables of a condition", async () => {
    const tab = await open(browser);
    await tab.goto("/theory");
    await inspect(tab, "theory");
    await tab.click("[data-example] >> nth=0");
    const filled = await tab.inputValue("#condition");
    expect(filled.length > 0, "the example does not fill the field");
    await tab.fill("#condition", "hcp(north) >= 20");
    await tab.fill("#other", "hcp(north) >= 20 && hearts(north) >= 5");
    await tab.click("#theory-form button[type=submit]");
    const fraction = tab.locator("textarea.exact").first();
    await fraction.waitFor();
    const { y } = await tab.locator("#a-title").boundingBox();
    expect(y < 400, `the answer begins ${Math.round(y)} pixels below the top of the window`);
    await fraction.focus();
    const chosen = await tab.evaluate(() => getSelection().toString() || document.activeElement.value);
    expect(/^\d+\/\d+$/.test(chosen), `the fraction is ${chosen}`);
    expect((await tab.locator("textarea.exact").count()) === 2, "two conditions have two fractions");
    expect((await tab.locator(".plot svg").count()) > 0, "no plots");
    await inspect(tab, "theory-two");
    await close(tab);
    return `${chosen}`;
  });
}

/** Every page by keyboard alone. */
async function byKeyboard(browser) {
  await check("audit, keyboard", async () => {
    const tab = await open(browser);
    await tab.goto("/");
    await tab.keyboard.press("Tab");
    const first = await tab.evaluate(() => document.activeElement?.className);
    expect(first === "skip", "the first stop is not the link to the content");
    await tabTo(tab, "nav a[href='/audit']");
    await tab.keyboard.press("Enter");
    await tab.waitForURL("**/audit");
    const pressed = await tabTo(tab, "#text");
    await tab.keyboard.type(FOUR_DEALS);
    await tabTo(tab, "#audit-form button[type=submit]");
    const outline = await tab.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    expect(outline !== "none", "the focus is not seen");
    await tab.keyboard.press("Enter");
    const word = await verdict(tab);
    await close(tab);
    return `${word}; ${pressed} presses of Tab to the field`;
  });
  await check("run, keyboard", async () => {
    const tab = await open(browser);
    await tab.goto("/runs");
    await tabTo(tab, "#run-form #condition");
    await tab.keyboard.type("hcp(north) >= 20");
    await tabTo(tab, "#deals");
    await tab.keyboard.type("100K");
    await tab.keyboard.press("Enter");
    const word = await verdict(tab);
    await close(tab);
    return word;
  });
}

/** Fills in the form of a lead. */
async function fillLead(tab) {
  await tab.goto("/leads");
  await tab.fill("#condition", "hcp(south) >= 15 && hcp(north) >= 8");
  await tab.fill("#hand", "KQ4.J9652.T8.643");
  await tab.fill("#contract", "3NT");
  await tab.click("summary >> text=Options");
  await tab.fill("#deals", "20");
}

/** Tables of leads and contracts. */
async function leads(browser) {
  await check("leads, mouse", async () => {
    const tab = await open(browser);
    await tab.goto("/leads");
    await inspect(tab, "leads");
    await fillLead(tab);
    await tab.click("#leads-form button[type=submit]");
    const word = await verdict(tab);
    const rows = await tab.locator("#means tbody tr").count();
    expect(rows === 10, `${rows} leads`);
    await inspect(tab, "leads-result");
    const [download] = await Promise.all([tab.waitForEvent("download"), tab.click("a[href$='/leads.csv']")]);
    await close(tab);
    return `${word}, ${rows} leads, ${download.suggestedFilename()}`;
  });
  await check("contracts, stopped", async () => {
    const tab = await open(browser);
    await tab.goto("/leads");
    await tab.selectOption("#question", "contract");
    await tab.fill("#condition", "unconstrained");
    await tab.click("summary >> text=Options");
    await tab.fill("#deals", "10000");
    await tab.click("#leads-form button[type=submit]");
    await inspect(tab, "leads-progress", await tab.content());
    await tab.click("form[action$='/stop'] button");
    const word = await verdict(tab);
    await tab.locator("text=stopped: interrupted").waitFor();
    await close(tab);
    return word;
  });
  for (const [name, how] of [["phone", { width: 360 }], ["no scripts", { scripts: false }]]) {
    await check(`leads, ${name}`, async () => {
      const tab = await open(browser, how);
      await fillLead(tab);
      await tab.click("#leads-form button[type=submit]");
      const word = await verdict(tab);
      const wide = how.width ? await tab.evaluate(() => document.documentElement.scrollWidth) : 0;
      expect(wide <= 360, `scrolls sideways: ${wide} of 360 px`);
      await close(tab);
      return word;
    });
  }
  await check("leads, keyboard", async () => {
    const tab = await open(browser);
    await tab.goto("/leads");
    for (const [field, value] of [["#condition", "hcp(south) >= 15"], ["#hand", "KQ4.J9652.T8.643"], ["#contract", "3NT"]]) {
      await tabTo(tab, field);
      await tab.keyboard.type(value);
    }
    await tabTo(tab, "summary");
    await tab.keyboard.press("Enter");
    await tabTo(tab, "#deals");
    await tab.keyboard.type("4");
    await tab.keyboard.press("Enter");
    const word = await verdict(tab);
    await close(tab);
    return word;
  });
}

/** The pages of conditions by keyboard. */
async function conditionsByKeyboard(browser) {
  for (const [page, form] of [["/deal", "#deal-form"], ["/theory", "#theory-form"]]) {
    await check(`${page.slice(1)}, keyboard`, async () => {
      const tab = await open(browser);
      await tab.goto(page);
      await tabTo(tab, `${form} #condition`);
      await tab.keyboard.type("spades(north) >= 9");
      await tabTo(tab, `${form} button[type=submit]`);
      await tab.keyboard.press("Enter");
      await tab.waitForSelector("textarea.exact, a.button[href*='/file']");
      await close(tab);
      return new URL(tab.url()).pathname.replace(/[0-9a-f]{8,}/, "ID");
    });
  }
}

/** Every page at a phone's width, by touch. */
async function byPhone(browser) {
  await check("audit, phone", async () => {
    const tab = await open(browser, { width: 360 });
    await tab.goto("/");
    await tab.tap("main a[href='/audit']");
    await tab.waitForURL("**/audit");
    await tab.fill("#text", FOUR_DEALS);
    await tab.tap("#audit-form button[type=submit]");
    const word = await verdict(tab);
    const small = await tab.evaluate(() =>
      [...document.querySelectorAll("a.button, button, nav a")]
        .filter((one) => one.getBoundingClientRect().height < 24)
        .map((one) => one.textContent.trim()),
    );
    expect(small.length === 0, `too small to touch: ${small.join(", ")}`);
    await close(tab);
    return word;
  });
  for (const [page, form] of [["/deal", "#deal-form"], ["/theory", "#theory-form"]]) {
    await check(`${page.slice(1)}, phone`, async () => {
      const tab = await open(browser, { width: 360 });
      await tab.goto(page);
      await tab.fill("#condition", "spades(north) >= 9");
      await tab.tap(`${form} button[type=submit] >> nth=0`);
      await tab.waitForSelector("textarea.exact, a.button[href*='/file']");
      const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
      expect(wide <= 360, `scrolls sideways: ${wide} of 360 px`);
      await close(tab);
      return `${wide} px`;
    });
  }
  await check("run, phone", async () => {
    const tab = await open(browser, { width: 360 });
    await tab.goto("/runs");
    await tab.fill("#run-form #condition", "nine-spades");
    await tab.fill("#deals", "100K");
    await tab.tap("#run-form button[type=submit]");
    const word = await verdict(tab);
    await close(tab);
    return word;
  });
}

/** Every page without scripts. */
async function withoutScripts(browser) {
  await check("audit, no scripts", async () => {
    const tab = await open(browser, { scripts: false });
    await tab.goto("/audit");
    await tab.setInputFiles("#files", [record("sm0807.pbn")]);
    await tab.click("#audit-form button[type=submit]");
    const word = await verdict(tab);
    await close(tab);
    return word;
  });
  await check("run, no scripts", async () => {
    const tab = await open(browser, { scripts: false });
    await tab.goto("/runs");
    await tab.fill("#run-form #condition", "nine-spades");
    await tab.fill("#deals", "20M");
    await tab.click("#run-form button[type=submit]");
    const word = await verdict(tab);
    await close(tab);
    return word;
  });
  await check("deal, no scripts", async () => {
    const tab = await open(browser, { scripts: false });
    await tab.goto("/deal");
    await tab.fill("#condition", "hcp(north) >= ");
    await tab.click("text=Show probability and samples");
    const wrong = (await tab.locator("#condition-error").innerText()).replace(/\s+/g, " ");
    expect(wrong.includes("^"), `no place in: ${wrong}`);
    await tab.fill("#condition", "hcp(north) >= 20");
    await tab.click("text=Show probability and samples");
    await tab.locator("#condition-check >> text=/1 in/").first().waitFor();
    await tab.click("#deal-form button[type=submit] >> nth=0");
    await tab.waitForSelector("a.button[href*='/file']");
    await close(tab);
    return "error, probability and a set";
  });
  await check("theory, no scripts", async () => {
    const tab = await open(browser, { scripts: false });
    await tab.goto("/theory");
    await tab.fill("#condition", "hcp(north) >= 20");
    await tab.click("#theory-form button[type=submit]");
    await tab.waitForSelector("textarea.exact");
    await close(tab);
    return "tables";
  });
  await check("state of the server", async () => {
    const tab = await open(browser);
    await tab.goto("/health");
    const rows = await tab.locator("#health tbody tr").count();
    expect(rows >= 5, `${rows} rows`);
    await inspect(tab, "health");
    await close(tab);
    return `${rows} figures`;
  });
}

/** Keeps pictures: pages in light and dark, and on a phone. */
async function pictures(browser) {
  fs.mkdirSync(keep, { recursive: true });
  const made = [];
  for (const [name, place, how] of [
    ["audit", "/audit", {}],
    ["deal", "/deal?condition=hcp(north)%20%3E%3D%2020", { scheme: "dark" }],
    ["theory", "/theory?condition=hcp(north)%20%3E%3D%2020", {}],
    ["leads", "/leads", {}],
    ["runs", "/runs", { scheme: "dark" }],
    ["phone", "/deal", { width: 360 }],
  ]) {
    const tab = await open(browser, { scale: how.width ? 1 : 0.75, ...how });
    await tab.goto(place);
    await tab.waitForTimeout(1000);
    const file = path.join(keep, `serve-${name}.png`);
    await tab.screenshot({ path: file });
    await tab.context().close();
    made.push(file);
  }
  execFileSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "--nofs", "64", ...made]);
  const bytes = made.reduce((sum, file) => sum + fs.statSync(file).size, 0);
  if (bytes > MOST_KEPT) throw new Error(`${bytes} bytes of pictures are too many to keep`);
  console.log(`kept ${made.length} pictures, ${bytes} bytes`);
}

const browser = await launched();
try {
  console.log(`# Chromium ${browser.version()}, axe-core ${axe.match(/axe v([\d.]+)/)[1]}, Nu HTML checker`);
  await byMouse(browser);
  await runs(browser);
  await deals(browser);
  await lessons(browser);
  await files(browser);
  await theory(browser);
  await leads(browser);
  await byKeyboard(browser);
  await conditionsByKeyboard(browser);
  await byPhone(browser);
  await withoutScripts(browser);
  await wrongValues(browser, { scripts: true });
  await wrongValues(browser, { scripts: false });
  await otherSites(browser);
  markup();
  if (keep) await pictures(browser);
} finally {
  await browser.close();
}
told();
