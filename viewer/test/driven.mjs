// The page of a machine that is driven, in a real browser: `node driven.mjs ADDRESS`. Checks what a person would see, and
// presses the red button. CHROMIUM in the environment is another browser.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const address = process.argv[2];
const PATIENCE = 20000;
const FLAGS = "--no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist --no-first-run";

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS.split(" "),
});
try {
    const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
    const faults = [];
    page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(address);
    await page.waitForFunction(() => window.lithe?.peek().frame?.time > 0.5, null, { timeout: PATIENCE });
    const seen = await page.evaluate(() => {
        const { scene, frame, ghost } = window.lithe.peek();
        return { machine: scene.machine, markers: Array.from(frame.markers), ghost: ghost() };
    });
    assert.ok(seen.machine);
    assert.equal(seen.markers.length, 12);
    // the ghost's line goes through the points that the machine tells of itself, which are the markers but the first
    const through = [3, 6, 6, 9].flatMap((i) => seen.markers.slice(i, i + 3));
    assert.equal(seen.ghost.length, 12);
    for (let i = 0; i < 12; i++) assert.ok(Math.abs(seen.ghost[i] - through[i]) < 5e-3, `${seen.ghost}`);
    assert.match(await page.locator(".target").first().innerText(), /tip\s+(on target|.* off)/);
    for (const name of [/^Play|^Pause/, /^Reset/, /^Record/]) assert.equal(await page.getByRole("button", { name }).count(), 0);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.waitForFunction(() => /the stop button/.test(document.querySelector(".note").textContent), null, { timeout: PATIENCE });
    assert.deepEqual(faults, []);
} finally {
    await browser.close();
}
