// Opens a report in a real browser, steps through its run, searches and zooms.
//
//   node report.mjs PLAYWRIGHT CHROMIUM PAGE (plain | abstraction) [SCREENSHOT]
//
// PLAYWRIGHT is the folder of playwright-core; `abstraction` demands an abstract reachability graph. The exit code is 0 if the page did what it should; otherwise the
// message says what it did not do.
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [playwright, executablePath, page_path, kind, screenshot] = process.argv.slice(2);
const needs_abstraction = kind === "abstraction";
const { chromium } = createRequire(import.meta.url)(resolve(playwright));

function check(condition, words) {
  if (!condition) throw new Error(words);
}

const folder = mkdtempSync(join(tmpdir(), "thetis-browser-"));
const context = await chromium.launchPersistentContext(folder, {
  executablePath,
  headless: true,
  viewport: { width: 1400, height: 900 },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
try {
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push(`asks for ${request.url()}`);
  });
  await page.goto(pathToFileURL(resolve(page_path)).href);

  // Stepping, with buttons and keys.
  const position = () => page.textContent("#position");
  const count = await page.locator("#steps li").count();
  check(count >= 3, `a run of some steps is expected, there are ${count}`);
  check((await position()) === `step ${count - 1} of ${count - 1}`, `the page opens at the violation: ${await position()}`);
  await page.click("#first");
  check((await position()) === `step 0 of ${count - 1}`, `the run starts at step 0: ${await position()}`);
  check(await page.isDisabled("#previous"), "there is no step before the first");
  await page.click("#next");
  check((await position()).startsWith("step 1 "), "the button steps forward");
  check((await page.locator(".line.current").count()) >= 1, "the line of the step is marked");
  check((await page.locator("#values tbody tr").count()) >= 1, "the values are shown");
  await page.keyboard.press("ArrowRight");
  check((await position()).startsWith("step 2 "), "the key steps forward");
  await page.click("#previous");
  check((await position()).startsWith("step 1 "), "the button steps back");
  check((await page.locator("#values tr.changed").count()) >= 1, "changed values are marked");
  await page.click("#last");
  check(await page.isDisabled("#next"), "there is no step behind the last");
  check((await page.locator("#graph .node.error.current").count()) === 1, "the run ends at an error location");

  // A click on a line or a node chooses a step that is there.
  await page.click("#first");
  await page.locator(".line.reached").last().click();
  check(!(await position()).startsWith("step 0 "), "a click on a line chooses its step");
  check((await page.locator(".line.current").count()) >= 1, "the line is marked then");
  await page.click("#tab-values");
  await page.locator("#wave thead [data-column]").nth(1).click();
  check((await position()).startsWith("step 1 "), "a click on a column chooses its step");
  await page.click("#tab-source");
  await page.click("#last");

  // Narrow windows and dark mode.
  await page.setViewportSize({ width: 400, height: 800 });
  const surplus = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  check((await surplus()) <= 0, "nothing is off the screen in a narrow window");
  check(await page.isVisible(".line.current"), "the source is below the run");
  await page.setViewportSize({ width: 1400, height: 900 });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  check((await paper()) !== light, "the page is dark if that is wanted");
  await page.emulateMedia({ colorScheme: "light" });

  // Searching.
  const word = (await page.locator("#values tbody tr").first().locator("td").first().textContent()).trim();
  await page.fill("#search", word);
  const visible = await page.locator("#steps li:visible").count();
  check(visible >= 1 && visible <= count, `steps with ${word} stay`);
  check((await page.locator(".line.match").count()) >= 1, `lines with ${word} are framed`);
  await page.fill("#search", "no such words");
  check((await page.locator("#steps li:visible").count()) === 0, "other steps are hidden");
  check((await page.textContent("#found")) === "0 steps, 0 lines", "the number of matches is told");
  await page.fill("#search", "");
  check((await page.locator("#steps li:visible").count()) === count, "all steps come back");

  // Zooming.
  await page.click("#tab-graph");
  const box = () => page.getAttribute("#graph", "viewBox");
  const whole = await box();
  await page.click("#view-graph .zoom-in");
  const width = (text) => Number(text.split(" ")[2]);
  check(width(await box()) < width(whole), "the button makes the graph larger");
  await page.hover("#graph");
  await page.mouse.wheel(0, 240);
  await page.mouse.wheel(0, 240);
  await page.waitForTimeout(100);
  check(width(await box()) > width(whole), "the wheel makes it smaller");
  await page.click("#view-graph .zoom-fit");
  check((await box()) === whole, "all of it is shown again");

  // The abstraction, if the run has one, is a graph of its own.
  if ((await page.locator("#tab-arg").count()) > 0) {
    await page.click("#tab-arg");
    check((await page.locator("#arg .node").count()) >= 2, "there are abstract states");
    check((await page.locator("#arg .node.error.marked").count()) === 1, "the path leads to an error");
    check((await page.locator("#arg .edge.marked").count()) >= 1, "the path has edges");
    const argBox = () => page.getAttribute("#arg", "viewBox");
    const wholeArg = await argBox();
    await page.keyboard.press("+");
    check(width(await argBox()) < width(wholeArg), "the key makes the abstraction larger");
    check((await box()) === whole, "the graph behind it stays as it is");
    await page.click("#view-arg .zoom-fit");
    check((await argBox()) === wholeArg, "all of the abstraction is shown again");
  } else {
    check(!needs_abstraction, "the abstraction is shown");
  }
  if (screenshot) await page.screenshot({ path: screenshot });
  await page.click("#tab-details");
  check((await page.textContent("#statistics")).length > 20, "the statistics are shown");
  check((await page.textContent("#configuration")).includes("engine"), "the configuration is shown");
  check(complaints.length === 0, `the browser complains: ${complaints.join("; ")}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await context.close();
  rmSync(folder, { recursive: true, force: true });
}
