// The page in a real browser: `node browser.mjs LITHE SCENE FOLDER [IMAGES]`. Starts the program, opens Chromium, and
// checks what a person would see. Pictures go to IMAGES if it is given: scripts/screenshots makes those of the documentation.
// FOLDER is for recordings and reports; CHROMIUM in the environment is another browser.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [lithe, scene, folder, images] = process.argv.slice(2);
const PATIENCE = 20000;
const FLAGS =
    "--no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist --disable-quic " +
    "--no-first-run --disable-background-networking --disable-component-update --disable-sync";

// Where no picture is wanted the screen is coarse and slow: without a graphics card the processor draws every pixel.
const SHARPNESS = images ? 1 : 0.5; // pixels of the screen in one of the page's
const SLOWNESS = images ? 0 : 200; // ms between frames
const PLAIN = images ? [] : ["--disable-gpu-compositing"];

// ## the program

const started = [];

function view(...words) {
    const child = spawn(lithe, ["view", ...words], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stderr.on("data", (text) => {
        said += text;
    });
    started.push(child);
    const address = new Promise((found, failed) => {
        child.stdout.on("data", (text) => found(String(text).trim()));
        child.on("exit", (code) => failed(new Error(`lithe view ended with ${code}: ${said}`)));
    });
    return { child, address };
}

function stop(child) {
    return new Promise((ended) => {
        child.removeAllListeners("exit");
        child.on("exit", (code) => ended(code));
        child.kill("SIGINT");
    });
}

// ## the page

let browser;
const faults = [];

async function open(address, options = {}) {
    const page = await browser.newPage({
        viewport: { width: 1280, height: 800 },
        deviceScaleFactor: SHARPNESS,
        ...options,
    });
    page.setDefaultTimeout(PATIENCE);
    await page.addInitScript((ms) => {
        const draw = window.requestAnimationFrame.bind(window);
        if (ms > 0) window.requestAnimationFrame = (then) => setTimeout(() => draw(then), ms);
    }, SLOWNESS);
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
    page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(address) && !/^(data|blob):/.test(url)) faults.push(`asked for ${url}`);
    });
    await page.goto(address);
    await until(page, () => window.lithe?.peek().frame);
    return page;
}

const until = (page, test, argument) =>
    page.waitForFunction(test, argument, { timeout: PATIENCE, polling: 50 });
const frame = (page) =>
    page.evaluate(() => {
        const f = window.lithe.peek().frame;
        const list = (a) => Array.from(a);
        return {
            time: f.time,
            step: f.step,
            number: f.number,
            paused: f.paused,
            mode: f.mode,
            markers: list(f.markers),
            targets: list(f.targets),
            displacement: list(f.displacement),
        };
    });
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

// How many of the stage's pixels are of some colour.
const count = (page, kind) =>
    page.evaluate((wanted) => {
        const canvas = document.querySelector(".stage > canvas");
        const copy = document.createElement("canvas");
        copy.width = canvas.width;
        copy.height = canvas.height;
        const g = copy.getContext("2d");
        g.drawImage(canvas, 0, 0);
        const { data } = g.getImageData(0, 0, copy.width, copy.height);
        const is = {
            robot: (r, gr, b, a) => a > 200 && gr > r + 12 && b > r + 12,
            red: (r, gr, b, a) => a > 200 && r > 110 && gr < 0.45 * r && b < 0.45 * r,
            yellow: (r, gr, b, a) => a > 200 && r > 120 && gr > 110 && b < 0.75 * gr,
        }[wanted];
        let n = 0;
        for (let i = 0; i < data.length; i += 4)
            n += is(data[i], data[i + 1], data[i + 2], data[i + 3]);
        return n;
    }, kind);

async function seen(page, kind, least) {
    const end = Date.now() + PATIENCE;
    for (let n = -1; n < least * SHARPNESS ** 2; n = await count(page, kind))
        assert.ok(Date.now() < end, `only ${n} pixels are ${kind}, not ${least * SHARPNESS ** 2}`);
}

async function picture(page, name) {
    if (images) await page.screenshot({ path: join(images, `${name}.png`) });
}

async function drag(page, dx, dy) {
    const box = await page.locator(".stage > canvas").boundingBox();
    const [x, y] = await page.evaluate(() => window.lithe.peek().handle(0));
    await page.mouse.move(box.x + x, box.y + y);
    await page.mouse.down();
    for (let k = 1; k <= 5; k++)
        await page.mouse.move(box.x + x + (dx * k) / 5, box.y + y + (dy * k) / 5);
    await page.mouse.up();
}

async function reset(page) {
    const { step } = await frame(page);
    await page.keyboard.press("r");
    await until(page, (s) => window.lithe.peek().frame.step < s, step);
}

const choose = (page, group, name) =>
    page.getByRole("radiogroup", { name: group }).getByRole("radio", { name, exact: true }).click();

// ## claims

const claims = {
    async "the page loads and the robot is drawn"({ page }) {
        assert.match(await page.title(), /Lithe/);
        await seen(page, "robot", 8000);
    },

    async "the robot follows its task"({ page }) {
        const before = await frame(page);
        assert.equal(before.mode, 2);
        await until(page, (step) => window.lithe.peek().frame.step > step + 20, before.step);
        const after = await frame(page);
        assert.ok(distance(before.markers, after.markers) > 1e-4, "the tip does not move");
        await picture(page, "view-task");
    },

    async "dragging the target moves the tip to it"({ page }) {
        await choose(page, "What drives the robot", "Target");
        await until(page, () => window.lithe.peek().frame.mode === 1);
        await reset(page);
        const before = await frame(page);
        await drag(page, 14, -16);
        await until(
            page,
            (from) => {
                const { markers, targets } = window.lithe.peek().frame;
                const off = Math.hypot(...[0, 1, 2].map((k) => markers[k] - targets[k]));
                const way = Math.hypot(...[0, 1, 2].map((k) => markers[k] - from[k]));
                return off < 2e-4 && way > 4e-3;
            },
            before.markers,
        );
        await page.locator(".target", { hasText: "on target" }).waitFor();
        await picture(page, "view-target");
    },

    async "a target out of reach shows the gap, and the limits that hold it"({ page }) {
        await drag(page, 260, -40);
        await until(page, () => {
            const text = document.querySelector(".gap")?.textContent ?? "";
            return / mm off$/.test(text) && document.querySelector(".wall") !== null;
        });
        assert.ok((await page.locator(".actuator.stopped").count()) > 0);
        await seen(page, "red", 60);
        await picture(page, "view-limit");
    },

    async "arrow keys move the target"({ page }) {
        await page.locator(".stage > canvas").focus();
        const where = () => page.evaluate(() => window.lithe.peek().handle(0)[0]);
        const before = await where();
        // frames that were on their way when the key went down may still show the target of the drag
        for (let k = 0; k < 100 && (await where()) >= before - 1; k++) {
            await page.keyboard.press("ArrowLeft");
            await until(page, (n) => window.lithe.peek().frame.number > n, (await frame(page)).number);
        }
        assert.ok((await where()) < before - 1, "the target does not move");
    },

    async "a slider moves the robot, and its limit turns red"({ page }) {
        await reset(page);
        await choose(page, "What drives the robot", "Actuators");
        await until(page, () => window.lithe.peek().frame.mode === 0);
        const before = await frame(page);
        const slider = page.locator(".actuator input[type=range]").first();
        await slider.focus();
        await slider.press("PageUp");
        await slider.press("PageUp");
        await slider.press("PageUp");
        await until(
            page,
            (from) => {
                const { markers } = window.lithe.peek().frame;
                return Math.hypot(...[0, 1, 2].map((k) => markers[k] - from[k])) > 2e-3;
            },
            before.markers,
        );
        await choose(page, "Colour by", "Moved");
        await page.locator(".legend", { hasText: "mm" }).waitFor();
        await until(page, () => window.lithe.peek().frame.displacement[0] > 5e-3);
        await picture(page, "view-slider");
        await slider.press("End");
        await page.locator(".actuator.stopped .badge", { hasText: "limit" }).first().waitFor();
        const colour = await page
            .locator(".actuator.stopped output")
            .first()
            .evaluate((node) => getComputedStyle(node).color);
        const [r, g, b] = colour.match(/\d+/g).map(Number);
        assert.ok(r > 2 * g && r > 2 * b, `the limit is told in ${colour}`);
        await choose(page, "Colour by", "Material");
    },

    async "pause stops time, a step goes one step, reset goes back"({ page }) {
        await page.getByRole("button", { name: /^Pause/ }).click();
        await until(page, () => window.lithe.peek().frame.paused);
        const still = await frame(page);
        await until(page, (n) => window.lithe.peek().frame.number >= n + 3, still.number);
        assert.equal((await frame(page)).time, still.time);
        await page.getByRole("button", { name: /^One step/ }).click();
        await until(page, (s) => window.lithe.peek().frame.step === s + 1, still.step);
        await page.getByRole("button", { name: /^Reset/ }).click();
        await until(page, () => window.lithe.peek().frame.time === 0);
        await page.getByRole("button", { name: /^Play/ }).click();
        await until(page, () => !window.lithe.peek().frame.paused);
    },

    async "stress and energy are painted with a legend in their units"({ page }) {
        const slider = page.locator(".actuator input[type=range]").first();
        await slider.focus();
        for (let k = 0; k < 5; k++) await slider.press("PageUp");
        await until(page, () => window.lithe.peek().frame.displacement[0] > 9e-3);
        await choose(page, "Colour by", "Mises");
        await until(page, () => window.lithe.peek().frame.mises !== null);
        await page.locator(".legend", { hasText: /von Mises stress \(k?Pa\)/ }).waitFor();
        await choose(page, "Colour by", "Energy");
        await until(page, () => window.lithe.peek().frame.energy !== null);
        await page.locator(".legend", { hasText: "J/m³" }).waitFor();
        await page.locator("label.toggle", { hasText: "Mesh" }).click();
        await choose(page, "Section across", "y");
        await seen(page, "yellow", 0);
        await picture(page, "view-energy");
        await choose(page, "Section across", "Off");
        await page.locator("label.toggle", { hasText: "Mesh" }).click();
        await choose(page, "Colour by", "Material");
    },

    async "a stiffer material is taken while the robot goes on"({ page }) {
        const before = await page.evaluate(() => window.lithe.peek().scene.materials[0].young);
        const field = page.locator(".materials input").first();
        await field.fill(String((2 * before) / 1000));
        await field.press("Enter");
        await until(
            page,
            (young) => Math.abs(window.lithe.peek().scene.materials[0].young - 2 * young) < 1,
            before,
        );
        const { step } = await frame(page);
        await until(page, (s) => window.lithe.peek().frame.step > s + 3, step);
    },

    async "what is recorded can be downloaded"({ page, address }) {
        await page.getByRole("button", { name: "Record" }).click();
        await until(page, () => window.lithe.peek().frame.recording);
        const { step } = await frame(page);
        await until(page, (s) => window.lithe.peek().frame.step > s + 12, step);
        await page.getByRole("button", { name: "Record" }).click();
        await page.getByRole("link", { name: "Download the recording" }).waitFor();
        const bytes = new Uint8Array(await (await fetch(`${address}recording.h5`)).arrayBuffer());
        assert.equal(String.fromCharCode(...bytes.slice(1, 4)), "HDF");
    },

    async "a second browser watches until it takes control"({ page, address }) {
        const other = await open(address);
        await other.getByRole("button", { name: /Take control/ }).click();
        await page.getByRole("button", { name: /Take control/ }).waitFor();
        await until(other, () => document.querySelector(".watching").hidden);
        await other.close();
        await page.getByRole("button", { name: /Take control/ }).click();
        await until(page, () => document.querySelector(".watching").hidden);
    },

    async "broken messages close their sender and nothing else"({ page }) {
        const codes = await page.evaluate(async () => {
            const send = (data) =>
                new Promise((closed) => {
                    const socket = new WebSocket(`ws://${location.host}/`, "lithe");
                    socket.onopen = () => socket.send(data);
                    socket.onclose = (event) => closed(event.code);
                });
            const wrong = new Uint8Array(32);
            wrong[0] = 200;
            return [
                await send("text"),
                await send(new Uint8Array(5)),
                await send(wrong),
                await send(new Uint8Array(1 << 20)),
            ];
        });
        assert.equal(codes.length, 4);
        assert.ok(
            codes.every((code) => code !== 1000),
            `closed with ${codes}`,
        );
        const { step } = await frame(page);
        await until(page, (s) => window.lithe.peek().frame.step > s + 3, step);
    },

    async "it is readable in the dark and usable on a tablet"({ page: first, address }) {
        await first.close(); // each page that draws without a graphics card slows all others
        const page = await open(address, {
            viewport: { width: 820, height: 1100 },
            colorScheme: "dark",
        });
        await seen(page, "robot", 8000);
        const paper = await page.evaluate(
            () => getComputedStyle(document.querySelector("header")).backgroundColor,
        );
        assert.ok(
            paper
                .match(/\d+/g)
                .map(Number)
                .every((c) => c < 60),
            `the bar is ${paper}`,
        );
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 820, "it is wider than the screen");
        await picture(page, "view-tablet");
        await page.close();
    },

    async "a ball that is pushed against the robot shows how they press"() {
        const obstacles =
            "obstacles={ball: {sphere: {center: [75, 18, 128], radius: 18}}," +
            " post: {capsule: {from: [-60, -90, 20], to: [-60, -90, 90], radius: 10}}}";
        const { child, address } = view(scene, "--set", obstacles);
        const page = await open(await address);
        await choose(page, "What drives the robot", "Actuators");
        await until(page, () => window.lithe.peek().frame.mode === 0);
        const field = page.getByLabel("ball moved along x, mm");
        await field.fill("-53");
        await field.press("Enter");
        await until(page, () => {
            const { contacts } = window.lithe.peek().frame;
            return contacts.length > 0 && Math.hypot(...contacts.slice(3, 6)) > 0;
        });
        await page.getByRole("radiogroup", { name: "What drives the robot" }).scrollIntoViewIfNeeded();
        const { step } = await frame(page);
        if (images) await until(page, (s) => window.lithe.peek().frame.step > s + 60, step);
        await picture(page, "view-contact");
        await page.close();
        assert.equal(await stop(child), 0);
    },

    async "a recording is replayed"() {
        const file = join(folder, "run.h5");
        execFileSync(lithe, [
            "track",
            scene,
            "--set",
            "step.mode=realtime",
            "--steps",
            "40",
            "--record",
            file,
            "--quiet",
        ]);
        const { child, address } = view(file);
        const page = await open(await address);
        await seen(page, "robot", 8000);
        await page.locator(".replay input").fill("30");
        await until(page, () => window.lithe.peek().frame.step >= 30);
        await until(page, () => window.lithe.peek().frame.step === 40);
        await picture(page, "view-replay");
        await page.close();
        assert.equal(await stop(child), 0);
    },

    async "a report opens from its file, with charts and nothing from elsewhere"() {
        const file = join(folder, "report.html");
        execFileSync(lithe, ["report", join(folder, "run.h5"), "-o", file]);
        const page = await open(`file://${file}`);
        await seen(page, "robot", 8000);
        await page.locator(".summary", { hasText: "realtime" }).waitFor();
        assert.ok((await page.locator(".chart canvas").count()) >= 3);
        await choose(page, "Colour by", "Mises");
        await page.locator(".replay input").fill("25");
        await until(page, () => window.lithe.peek().frame.step >= 25);
        await picture(page, "report");
        await page.close();
    },
};

async function run() {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: [...FLAGS.split(" "), ...PLAIN],
    });
    const { child, address } = view(scene);
    const page = await open(await address);
    const state = { page, address: await address };
    for (const [claim, check] of Object.entries(claims)) {
        const begin = Date.now();
        await check(state);
        assert.deepEqual(faults, [], "the page complained");
        console.log(`ok   ${((Date.now() - begin) / 1000).toFixed(1)} s  ${claim}`);
    }
    assert.equal(await stop(child), 0, "the program did not end well");
}

run()
    .catch((error) => {
        console.error(error);
        process.exitCode = 1;
    })
    .finally(async () => {
        await browser?.close();
        for (const child of started) child.kill("SIGKILL");
    });
