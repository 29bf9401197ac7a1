// The page of a machine that is driven, in a real browser: `node driven.mjs ADDRESS`. Checks what a person would see, and
// presses the red button. CHROMIUM in the environment is another browser.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const address = process.argv[2];
const PATIENCE = 20000;
const FLAGS =
    "--no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist --no-first-run";

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
    await page.waitForFunction(() => window.lithe?.peek().frame?.time > 0.5, null, {
        timeout: PATIENCE,
    });
    // bent by a load that the model does not know: the machine's skin stands beside the model's
    await page.waitForFunction(
        () => {
            const { scene, frame } = window.lithe.peek();
            return (
                frame.ghost &&
                Math.hypot(...frame.ghost.map((g, i) => g - frame.x[i])) >
                    1e-3 * scene.vertices ** 0.5
            );
        },
        null,
        { timeout: PATIENCE },
    );
    const seen = await page.evaluate(() => {
        const { scene, frame, ghostOff } = window.lithe.peek();
        const lists = [frame.markers, frame.ghost, frame.x, scene.rest].map((list) =>
            Array.from(list),
        );
        return { machine: scene.machine, ghostOff: ghostOff(), lists };
    });
    const [markers, ghost, model, rest] = seen.lists;
    const distance = (a, i, b, j) =>
        Math.hypot(...[0, 1, 2].map((k) => a[3 * i + k] - b[3 * j + k]));
    assert.ok(seen.machine);
    assert.equal(markers.length, 12);
    assert.ok(seen.ghostOff < 1e-6, "the ghost is drawn where the frame has it");
    let free = 0;
    for (let v = 0; v < ghost.length / 3; v++) {
        if (rest[3 * v + 2] < 1e-3)
            assert.ok(distance(ghost, v, model, v) < 1e-5, "where it is held it stands still");
        else if (rest[3 * v + 2] > 0.06) free += distance(ghost, v, model, v) > 5e-4;
    }
    assert.ok(free >= 4, `${free} vertices of the ghost are beside the model`);
    if (process.argv[3]) await page.screenshot({ path: process.argv[3] });
    assert.match(await page.locator(".target").first().innerText(), /tip\s+(on target|.* off)/);
    for (const text of ["In blue the machine", "east is at its pull limit", "deadlines missed"])
        await page.getByText(text).waitFor();
    assert.match(await page.locator(".stats").innerText(), /^step .* of 50.0 ms/);
    for (const name of [/^Play|^Pause/, /^Reset/, /^Record/])
        assert.equal(await page.getByRole("button", { name }).count(), 0);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.waitForFunction(
        () => /the stop button/.test(document.querySelector(".note").textContent),
        null,
        { timeout: PATIENCE },
    );
    assert.deepEqual(faults, []);
} finally {
    await browser.close();
}
