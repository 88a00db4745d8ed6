// What serve.mjs checks of forms: wrong values, and pages of other sites that fill them in.

const SCRIPT = "x = hcp(north)\n\tcondition x >= 15 && hearts(south) >= 5\n";

/** The checks, made with the helpers of serve.mjs. */
export function formChecks({ address, check, close, expect, inspect, open, record, verdict, deals }) {
  /** Checks the message beside a field, and that these fields are filled in; returns the message. */
  async function isRefused(tab, field, values) {
    const message = tab.locator(`#${field}-error:visible`);
    await message.waitFor();
    const words = (await message.innerText()).replace(/\s+/g, " ").trim();
    expect(words.length > 5, `no words beside ${field}`);
    expect((await tab.getAttribute(`#${field}`, "aria-invalid")) === "true", `${field} is not marked as wrong`);
    const described = (await tab.getAttribute(`#${field}`, "aria-describedby")).split(" ");
    expect(described.includes(`${field}-error`), `${field} is not described by its message`);
    // A browser gives the focus to a field some time after the page is there.
    await tab.locator(`#${field}:focus`).waitFor().catch(() => {});
    const focus = await tab.evaluate(() => document.activeElement?.id);
    expect(focus === field, `the focus is on ${focus}, not on ${field}`);
    for (const [name, value] of Object.entries(values)) {
      const filled = await tab.inputValue(`#${name}`);
      expect(filled === value, `${name} is ${JSON.stringify(filled)}, not ${JSON.stringify(value)}`);
    }
    return words;
  }

  /** Wrong values in every form: each field stays as it was filled in. */
  async function wrongValues(browser, { scripts }) {
    const how = scripts ? "scripts" : "no scripts";
    const inspected = async (tab, name) => {
      if (scripts) await inspect(tab, name, await tab.content());
    };
    await check(`wrong set, ${how}`, async () => {
      const tab = await open(browser, { scripts });
      await tab.goto("/deal");
      await tab.fill("#condition", SCRIPT);
      await tab.fill("#boards", "4");
      await tab.fill("#seed", "7");
      await tab.click("summary >> text=Options");
      await tab.fill("#names", "Ann, Bo");
      await tab.click("#deal-form button[type=submit] >> nth=0");
      const values = { condition: SCRIPT, boards: "4", seed: "7", names: "Ann, Bo" };
      const words = await isRefused(tab, "names", values);
      await inspected(tab, "deal-wrong");
      await tab.fill("#names", "");
      if (scripts) expect(!(await tab.isVisible("#names-error")), "the message stays");
      await tab.click("#deal-form button[type=submit] >> nth=0");
      await tab.waitForSelector("a.button[href*='/file']");
      await close(tab);
      return words;
    });
    await check(`wrong run, ${how}`, async () => {
      const tab = await open(browser, { scripts });
      await tab.goto("/runs");
      await tab.fill("#run-form #condition", "nine-spades");
      await tab.fill("#deals", "many");
      await tab.fill("#seed", "7");
      await tab.selectOption("#battery", "tables");
      await tab.click("#run-form button[type=submit]");
      const values = { condition: "nine-spades", deals: "many", seed: "7", battery: "tables" };
      const words = await isRefused(tab, "deals", values);
      await inspected(tab, "run-wrong");
      const report = await tab.locator("#compare-form #a option").first().getAttribute("value");
      await tab.selectOption("#a", report);
      await tab.selectOption("#b", report);
      await tab.click("#compare-form button[type=submit]");
      const same = await isRefused(tab, "b", { a: report, b: report });
      await close(tab);
      return `${words}; ${same}`;
    });
    await check(`wrong theory, ${how}`, async () => {
      const tab = await open(browser, { scripts });
      await tab.goto("/theory");
      await tab.fill("#condition", SCRIPT);
      await tab.fill("#other", "hcp(north) >= ");
      await tab.click("#theory-form button[type=submit]");
      const words = await isRefused(tab, "other", { condition: SCRIPT, other: "hcp(north) >= " });
      await inspected(tab, "theory-wrong");
      await close(tab);
      return words.slice(0, 60);
    });
    await check(`wrong lead, ${how}`, async () => {
      const tab = await open(browser, { scripts });
      await tab.goto("/leads");
      await tab.fill("#condition", SCRIPT);
      await tab.fill("#hand", "KQ4.J9652.T8.64");
      await tab.fill("#contract", "4Sx");
      await tab.click("#leads-form button[type=submit]");
      const values = { condition: SCRIPT, hand: "KQ4.J9652.T8.64", contract: "4Sx", declarer: "south" };
      const words = await isRefused(tab, "hand", values);
      await inspected(tab, "leads-wrong");
      await close(tab);
      return words;
    });
    await check(`wrong audit, ${how}`, async () => {
      const tab = await open(browser, { scripts });
      await tab.goto("/audit");
      await tab.setInputFiles("#files", [record("sm0807.pbn")]);
      await tab.fill("#text", deals);
      await tab.click("summary >> text=Options");
      await tab.fill("#session", "1000");
      await tab.selectOption("#events", "same");
      await tab.click("#audit-form button[type=submit]");
      const words = await isRefused(tab, "session", { text: deals, session: "1000", events: "same" });
      await inspected(tab, "audit-wrong");
      const files = await tab.evaluate(() => document.querySelector("#files").files.length);
      // A page cannot choose files; a script keeps the page.
      if (scripts) expect(files === 1, "the files are lost");
      else await tab.locator("text=Choose the files again").waitFor();
      await tab.fill("#session", "36");
      await tab.click("#audit-form button[type=submit]");
      const word = await verdict(tab);
      await close(tab);
      return `${words}; then ${word}`;
    });
  }

  /** A page of another site, which links here, shows frames and sends a form. */
  async function otherSites(browser) {
    await check("a page of another site", async () => {
      const tab = await open(browser);
      const jobs = async () => {
        const health = await (await tab.context().request.get("/health.json")).json();
        return health.queued + health.running + health.done + health.failed + health.stopped;
      };
      const before = await jobs();
      const to = `${address}/theory?condition=hcp(north)%20%3E%3D%2020`;
      await tab.route("http://other.example/**", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<iframe src="${to}"></iframe><img src="${to}"><a href="${to}">a link</a>
            <form method="post" action="${address}/runs"><input name="condition" value="nine-spades"><button>Go</button></form>`,
        }),
      );
      await tab.goto("http://other.example/");
      await tab.click("button");
      await tab.locator("text=comes from another site").waitFor();
      await tab.goto("http://other.example/");
      await tab.click("a");
      await tab.locator("[data-foreign]").waitFor();
      const filled = await tab.inputValue("#condition");
      expect(filled === "hcp(north) >= 20", `the form has ${filled}`);
      await tab.waitForTimeout(1000);
      expect((await tab.locator("#condition-check").innerText()) === "", "a script checks the condition");
      await inspect(tab, "theory-foreign", await tab.content());
      const after = await jobs();
      expect(after === before, `${after - before} jobs were begun`);
      await tab.context().close();
      return "fills in a form, and begins nothing";
    });
  }

  return { wrongValues, otherSites };
}
