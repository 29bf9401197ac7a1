// Frames a second of a recording in Chromium: `node frames.mjs LITHE RECORDING`. Asks for one frame after the other, as
// fast as they are drawn, for ten seconds.
import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

const [lithe, recording] = process.argv.slice(2);
const program = spawn(lithe, ["view", recording]);
const address = await new Promise((found) =>
    program.stdout.on("data", (text) => found(String(text).trim())),
);
const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
        "--no-sandbox",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--ignore-gpu-blocklist",
    ],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(address);
await page.waitForFunction(() => window.lithe?.peek().frame, null, { timeout: 60000 });
const [nodes, rate] = await page.evaluate(async () => {
    const { scene } = window.lithe.peek();
    const begin = performance.now();
    let drawn = 0;
    let last = null;
    while (performance.now() - begin < 10000) {
        await new Promise(requestAnimationFrame);
        const { frame } = window.lithe.peek();
        if (frame === last) continue;
        last = frame;
        window.lithe.seek(++drawn % scene.frames);
    }
    return [scene.nodes, drawn / ((performance.now() - begin) / 1000)];
});
console.log(`${nodes} nodes: ${rate.toFixed(1)} frames/s`);
await browser.close();
program.kill("SIGINT");
