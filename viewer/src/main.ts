import { Actuators, stopOf } from "./actuators";
import { Charts, errorOf } from "./charts";
import { button, Choice, el, icon, saveFile, swapIcon, toggle } from "./dom";
import { Overlay } from "./overlay";
import {
    Field,
    type Frame,
    type Incoming,
    Mode,
    Play,
    type Sample,
    Say,
    type Scene,
} from "./protocol";
import { Inside, type Listener, type Source, Wire } from "./source";
import { type ColourBy, Stage } from "./stage";
import { summaryTable } from "./summary";
import { digits, show, unitFor } from "./units";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const MODES = ["forward", "inverse", "task"] as const;

class App implements Listener {
    private readonly stage: Stage;
    private readonly overlay: Overlay;
    private readonly charts = new Charts((time) => this.seekTime(time));
    private readonly actuators = new Actuators((i, kind, value) =>
        this.source.say(Say.command, i, value, kind === "effort" ? 0 : 1),
    );
    private readonly source: Source;
    private scene: Scene | null = null;
    private frame: Frame | null = null;
    private samples: Sample[] = [];
    private seen: number[] = []; // when frames came
    // of a recording
    private at = 0;
    private playing = false;
    private speed = 1;
    private clock = 0;

    private readonly name = el("span", { class: "name" });
    private readonly note = el("div", { class: "note", role: "alert", hidden: true });
    private readonly lost = el(
        "div",
        { class: "lost", hidden: true },
        "The program has ended. Start it again to go on.",
    );
    private readonly clockText = el("output", { class: "clock", title: "Simulated time" });
    private readonly stats = el("span", { class: "stats" });
    private readonly playButton = button("pause", "Pause (Space)", () => this.togglePlay());
    private readonly stepButton = button("step", "One step (.)", () => this.oneStep());
    private readonly resetButton = button("reset", "Reset (R)", () => this.reset());
    private readonly recordButton = button("record", "Record", () => this.record());
    private readonly download = el(
        "a",
        {
            class: "icon",
            href: "recording.h5",
            title: "Download the recording",
            "aria-label": "Download the recording",
            hidden: true,
        },
        icon("download"),
    );
    private readonly speedBox = el("select", { "aria-label": "Speed", title: "Speed" });
    private readonly watching = el(
        "button",
        {
            type: "button",
            class: "watching",
            hidden: true,
            click: () => this.source.say(Say.drive),
        },
        icon("wheel"),
        "Watching. Take control",
    );
    private readonly stopButton = el(
        "button",
        {
            type: "button",
            class: "emergency",
            hidden: true,
            title: "Emergency stop: the machine goes to its safe state",
            click: () => this.source.say(Say.stop),
        },
        "Stop",
    );
    private readonly mode = new Choice(
        "What drives the robot",
        [
            ["task", "Task"],
            ["inverse", "Target"],
            ["forward", "Actuators"],
        ],
        (m) => this.source.say(Say.mode, MODES.indexOf(m)),
    );
    private readonly colour = new Choice(
        "Colour by",
        [
            ["material", "Material"],
            ["displacement", "Moved"],
            ["energy", "Energy"],
            ["mises", "Mises"],
        ],
        (c: ColourBy) => this.setColour(c),
    );
    private readonly cut = new Choice(
        "Section across",
        [
            ["off", "Off"],
            ["x", "x"],
            ["y", "y"],
            ["z", "z"],
        ],
        (c) => this.setSection(c),
    );
    private readonly cutAt = el("input", {
        type: "range",
        min: 0,
        max: 1,
        step: 0.002,
        value: 0.5,
        "aria-label": "Where the section is",
        input: () => this.moveSection(),
    });
    private readonly timeline = el("input", {
        type: "range",
        min: 0,
        max: 1,
        step: 1,
        value: 0,
        "aria-label": "Time",
        input: () => this.seek(Number(this.timeline.value)),
    });
    private readonly replay = el("div", { class: "replay", hidden: true }, this.timeline);
    private readonly targets = el("div", { class: "targets" });
    private readonly materials = el("div", { class: "materials" });
    private readonly obstacles = el("div", { class: "obstacles" });
    private readonly summary = el("section", { class: "summary", hidden: true });
    private readonly control: HTMLElement;
    private readonly dock: HTMLElement;
    private readonly help: HTMLDialogElement;

    constructor(root: HTMLElement) {
        const place = el("main", { class: "stage" });
        this.stage = new Stage(place);
        this.overlay = new Overlay(this.stage);
        this.stage.onDrag = (marker, point) => this.source.say(Say.target, marker, point.toArray());
        this.stage.onPush = (obstacle, moved) =>
            this.source.say(Say.obstacle, obstacle, moved.toArray());
        this.stage.onPull = (body, moved) =>
            this.source.say(Say.body, body, moved?.toArray() ?? [], moved ? 0 : 1);
        place.append(this.overlay.box, this.note, this.lost, this.replay);
        this.control = el(
            "section",
            {},
            el("h2", {}, "Control"),
            this.mode.box,
            this.targets,
            this.actuators.box,
        );
        this.dock = this.buildDock();
        this.help = this.buildHelp();
        root.append(this.buildBar(root), place, this.buildPanel(), this.dock, this.help);
        this.wireTheme();
        document.addEventListener("keydown", (event) => this.key(event));
        const inside = document.getElementById("data");
        this.source = inside ? new Inside(this, inside.textContent ?? "") : new Wire(this);
        document.body.classList.toggle("report", inside !== null);
        requestAnimationFrame((now) => this.tick(now));
    }

    // ## building

    private buildBar(root: HTMLElement): HTMLElement {
        for (const speed of SPEEDS)
            this.speedBox.append(
                el("option", { value: speed, selected: speed === 1 }, `${speed}×`),
            );
        this.speedBox.addEventListener("change", () => this.setSpeed(Number(this.speedBox.value)));
        const logo = el("span", { class: "logo" });
        logo.innerHTML =
            '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M8 27C8 13 24 19 24 5" fill="none" stroke="currentColor" stroke-width="6" stroke-linecap="round"/></svg>Lithe';
        return el(
            "header",
            {},
            logo,
            this.name,
            el(
                "div",
                { class: "transport", role: "toolbar", "aria-label": "Time" },
                this.resetButton,
                this.playButton,
                this.stepButton,
                this.speedBox,
                this.clockText,
            ),
            this.stopButton,
            this.watching,
            this.stats,
            el(
                "div",
                { class: "tools", role: "toolbar", "aria-label": "View" },
                this.recordButton,
                this.download,
                button("fit", "Fit (F)", () => this.stage.fit()),
                button("charts", "Charts (C)", () => root.classList.toggle("no-charts")),
                button("panel", "Panel (P)", () => root.classList.toggle("no-panel")),
                button("theme", "Light or dark (T)", () => this.flipTheme()),
                button("help", "Keys (?)", () => this.help.showModal()),
            ),
        );
    }

    private buildPanel(): HTMLElement {
        const look = this.stage.look;
        const set =
            (key: "mesh" | "cables" | "joints" | "cavities" | "ground") => (on: boolean) => {
                look[key] = on;
                this.stage.restyle();
            };
        const mesh = toggle("Mesh", look.mesh, set("mesh"));
        mesh.querySelector("input")!.id = "mesh";
        this.colour.set("material");
        this.cut.set("off");
        const flip = toggle("Other side", false, (on) => {
            look.flip = on;
            this.stage.restyle();
        });
        return el(
            "aside",
            { "aria-label": "Controls" },
            this.summary,
            this.control,
            el("section", {}, el("h2", {}, "Colour"), this.colour.box),
            el(
                "section",
                {},
                el("h2", {}, "Show"),
                el(
                    "div",
                    { class: "toggles" },
                    mesh,
                    toggle("Cables", true, set("cables")),
                    toggle("Joints", true, set("joints")),
                    toggle("Cavities", true, set("cavities")),
                    toggle("Ground", true, set("ground")),
                ),
                el("h2", {}, "Section"),
                this.cut.box,
                el("div", { class: "cut" }, this.cutAt, flip),
            ),
            el("section", { class: "stuff" }, el("h2", {}, "Stiffness"), this.materials),
            el(
                "section",
                { class: "things" },
                el("h2", {}, "Obstacles (moved, mm)"),
                this.obstacles,
            ),
        );
    }

    private buildDock(): HTMLElement {
        const csv = el(
            "button",
            {
                type: "button",
                class: "text",
                click: () => saveFile("lithe.csv", this.charts.csv()),
            },
            icon("download"),
            "CSV",
        );
        return el(
            "footer",
            { "aria-label": "Charts" },
            el("div", { class: "dock-tools" }, csv),
            this.charts.box,
        );
    }

    private buildHelp(): HTMLDialogElement {
        const rows: [string, string][] = [
            ["Space", "pause or go on"],
            [".", "one step"],
            ["R", "reset"],
            ["F", "fit the robot into the view"],
            ["M", "mesh"],
            ["1 2 3 4", "colour by material, displacement, energy, von Mises"],
            ["C, P, T", "charts, panel, light or dark"],
            ["Arrows, Page up, Page down", "move the target, in the picture; with Shift by less"],
            ["Drag, right drag, wheel", "turn, shift, zoom"],
            ["Shift and drag a body", "pull it"],
        ];
        const dialog = el("dialog", { "aria-label": "Keys" });
        dialog.append(
            el("h2", {}, "Keys"),
            el("dl", {}, ...rows.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)])),
            el("button", { type: "button", click: () => dialog.close() }, "Close"),
        );
        return dialog;
    }

    // ## light and dark

    private wireTheme(): void {
        const media = matchMedia("(prefers-color-scheme: dark)");
        media.addEventListener("change", () => this.applyTheme());
        this.applyTheme();
    }

    private isDark(): boolean {
        const chosen = document.documentElement.dataset.theme;
        return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    }

    private flipTheme(): void {
        document.documentElement.dataset.theme = this.isDark() ? "light" : "dark";
        this.applyTheme();
    }

    private applyTheme(): void {
        document.documentElement.classList.toggle("dark", this.isDark());
        this.stage.setDark(this.isDark());
        this.charts.restyle();
        this.overlay.moved();
    }

    // ## what the program tells

    connected(state: boolean): void {
        this.lost.hidden = state || this.scene === null;
    }

    begin(scene: Scene): void {
        this.scene = scene;
        document.title = `${scene.name} · Lithe`;
        this.name.textContent = scene.name;
        this.name.title = `${scene.nodes} nodes, ${scene.elements} elements, ${scene.dofs} degrees of freedom`;
        this.stage.show(scene);
        this.overlay.show(scene);
        this.charts.show(scene);
        this.actuators.show(scene);
        this.showMaterials(scene);
        this.showObstacles(scene);
        const live = scene.live && !scene.machine;
        document.body.classList.toggle("live", live);
        this.stopButton.hidden = !scene.machine;
        this.playButton.hidden = this.speedBox.hidden = scene.machine;
        this.control.hidden = scene.actuators.length === 0 && scene.effectors.length === 0;
        this.mode.box.hidden = !live;
        for (const node of [this.recordButton, this.resetButton, this.stepButton])
            node.hidden = !live;
        this.replay.hidden = scene.live;
        this.timeline.max = String(Math.max(0, scene.frames - 1));
        this.mode.box.querySelectorAll("button")[0].hidden = !scene.task;
        if (!live) {
            this.playing = !scene.machine;
            this.actuators.enable(false);
        }
    }

    private showMaterials(scene: Scene): void {
        const rows = scene.materials
            .filter((m) => m.young > 0)
            .map((m) => {
                const number = scene.materials.indexOf(m);
                const unit = unitFor("pressure", m.young);
                const input = el("input", {
                    type: "number",
                    min: 0,
                    step: "any",
                    value: Number((m.young / unit.si).toPrecision(6)),
                    disabled: !scene.live || scene.machine,
                    "aria-label": `Young's modulus of ${m.name}`,
                    change: () => {
                        const young = Number(input.value) * unit.si;
                        if (young > 0) this.source.say(Say.material, number, [young]);
                    },
                });
                return el(
                    "label",
                    {},
                    el("span", {}, m.name),
                    input,
                    el("span", { class: "unit" }, unit.name),
                );
            });
        this.materials.replaceChildren(...rows);
    }

    // Where each was moved to, for those who do not drag.
    private showObstacles(scene: Scene): void {
        const rows = scene.obstacles.map((o, i) => {
            const fields = ["x", "y", "z"].map((axis) =>
                el("input", {
                    type: "number",
                    step: 1,
                    value: 0,
                    disabled: !scene.live || scene.machine,
                    "aria-label": `${o.name} moved along ${axis}, mm`,
                    change: () =>
                        this.source.say(
                            Say.obstacle,
                            i,
                            fields.map((field) => Number(field.value) / 1000),
                        ),
                }),
            );
            return el("label", {}, el("span", {}, o.name), ...fields);
        });
        this.obstacles.replaceChildren(...rows);
        this.obstacles.parentElement!.hidden = rows.length === 0;
    }

    message(message: Incoming): void {
        if (message.type === "frame") this.showFrame(message.frame);
        if (message.type === "note") {
            this.note.textContent = message.text;
            this.note.hidden = message.text === "";
        }
        if (message.type === "series") {
            this.samples = message.samples;
            this.charts.fill(message.samples);
        }
        if (message.type === "summary") {
            this.summary.replaceChildren(...summaryTable(message.text, this.scene!));
            this.summary.hidden = false;
        }
    }

    private showFrame(frame: Frame): void {
        const scene = this.scene!;
        this.frame = frame;
        const stopped = scene.actuators.map((a) => stopOf(a, frame) !== null);
        this.stage.setStopped(stopped);
        this.stage.update(frame);
        this.overlay.update(frame);
        this.actuators.update(frame, frame.mode === Mode.Forward && scene.live);
        this.showTargets(frame);
        if (scene.live) this.showLive(frame);
        else this.charts.seek(frame.time);
        this.clockText.textContent = `${frame.time.toFixed(2)} s`;
        this.source.say(Say.seen, frame.number);
    }

    private showLive(frame: Frame): void {
        const now = performance.now();
        this.charts.add(frame);
        this.seen = [...this.seen.filter((t) => now - t < 1000), now];
        this.playing = !frame.paused;
        this.mode.set(MODES[frame.mode]);
        this.actuators.enable(!this.scene!.machine);
        this.watching.hidden = frame.drives || this.seen.length === 0 || this.scene!.machine;
        swapIconOnce(this.recordButton, frame.recording ? "stop" : "record");
        this.recordButton.classList.toggle("on", frame.recording);
        this.download.hidden = !frame.recorded;
        const late = frame.stepTime > this.scene!.dt;
        const off = Number.isNaN(frame.off)
            ? ""
            : ` · ${show("length", frame.off)} off by estimate`;
        this.stats.textContent = `step ${show("time", frame.stepTime)} of ${show("time", this.scene!.dt)} · ${this.seen.length} frames/s${off}`;
        this.stats.classList.toggle("late", late);
    }

    private showTargets(frame: Frame): void {
        const scene = this.scene!;
        const rows = scene.effectors.map((e, i) => {
            const error = errorOf(scene, i, frame);
            const aimed = Number.isFinite(error);
            const reached =
                error < 1e-3 * Math.hypot(...scene.upper.map((u, k) => u - scene.lower[k]));
            const text = aimed
                ? reached
                    ? "on target"
                    : `${show(e.dimension, error)} off`
                : "free";
            const children: (Node | string)[] = [
                el("i", { class: "dot tip" }),
                el("strong", {}, e.name),
                el("span", { class: aimed && !reached ? "far" : "" }, text),
            ];
            return el("div", { class: "target" }, ...children);
        });
        const wall = scene.actuators
            .map((a) => ({ a, stop: stopOf(a, frame) }))
            .filter(({ stop }) => stop !== null);
        const limits = wall.map(({ a, stop }) =>
            el(
                "div",
                { class: "wall" },
                `${a.name} is at its ${stop!.quantity.name} limit, ${show(stop!.quantity.dimension, stop!.limit)}`,
            ),
        );
        const hint =
            scene.live &&
            !scene.machine &&
            frame.mode !== Mode.Forward &&
            scene.markers.some((m) => m.movable);
        if (hint)
            rows.push(el("p", { class: "hint" }, "Drag the orange handle: the robot follows."));
        if (scene.ghost)
            rows.push(
                el("p", { class: "hint" }, "In blue the machine, by the points that it tells."),
            );
        this.targets.replaceChildren(...rows, ...limits);
    }

    // ## what the user does

    private togglePlay(): void {
        if (this.scene?.live) {
            this.source.say(Say.play, this.playing ? Play.pause : Play.resume);
        } else {
            this.playing = !this.playing;
            if (this.playing && this.at >= this.scene!.frames - 1) this.seek(0);
        }
    }

    private oneStep(): void {
        if (this.scene?.live) this.source.say(Say.play, Play.step);
        else this.seek(this.at + 1);
    }

    private reset(): void {
        if (this.scene?.live) this.source.say(Say.play, Play.reset);
        else this.seek(0);
    }

    private record(): void {
        this.source.say(Say.record, this.frame?.recording ? 0 : 1);
    }

    private setSpeed(speed: number): void {
        this.speed = speed;
        if (this.scene?.live) this.source.say(Say.speed, 0, [speed]);
    }

    private setColour(colour: ColourBy): void {
        this.stage.look.colour = colour;
        this.colour.set(colour);
        const field = colour === "energy" ? Field.energy : colour === "mises" ? Field.mises : 0;
        this.source.say(Say.fields, field);
        this.stage.restyle();
        if (this.frame) this.overlay.update(this.frame);
        if (!this.scene?.live) this.seek(this.at);
    }

    private setSection(cut: "off" | "x" | "y" | "z"): void {
        this.stage.look.section = cut === "off" ? "" : cut;
        this.cut.set(cut);
        this.stage.restyle();
    }

    private moveSection(): void {
        this.stage.look.sectionAt = Number(this.cutAt.value);
        this.stage.restyle();
    }

    seek(frame: number): void {
        if (!this.scene || this.scene.live) return;
        this.at = Math.max(0, Math.min(frame, this.scene.frames - 1));
        this.timeline.value = String(this.at);
        this.clock = this.timeOf(this.at);
        this.source.seek(this.at);
    }

    private timeOf(frame: number): number {
        return this.samples[frame]?.time ?? frame * (this.scene?.dt ?? 1);
    }

    private seekTime(time: number): void {
        let frame = 0;
        while (frame + 1 < this.scene!.frames && this.timeOf(frame + 1) <= time) frame++;
        this.seek(frame);
    }

    private last = 0;

    // Plays a recording in its own time.
    private tick(now: number): void {
        const passed = Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        const label = this.playing ? "pause" : "play";
        swapIconOnce(this.playButton, label);
        this.playButton.title = this.playing ? "Pause (Space)" : "Play (Space)";
        this.playButton.setAttribute("aria-label", this.playButton.title);
        if (this.scene && !this.scene.live && this.playing) {
            this.clock += passed * this.speed;
            const time = this.clock;
            let frame = this.at;
            while (frame + 1 < this.scene.frames && this.timeOf(frame + 1) <= time) frame++;
            if (frame !== this.at) {
                this.seek(frame);
                this.clock = time;
            }
            if (frame >= this.scene.frames - 1) this.playing = false;
        }
        requestAnimationFrame((next) => this.tick(next));
    }

    private key(event: KeyboardEvent): void {
        const at = event.target as HTMLElement;
        if (
            event.ctrlKey ||
            event.metaKey ||
            event.altKey ||
            at.matches("input[type=number], select, dialog *")
        )
            return;
        const root = document.getElementById("app")!;
        const act: Record<string, () => void> = {
            " ": () => this.togglePlay(),
            ".": () => this.oneStep(),
            r: () => this.reset(),
            f: () => this.stage.fit(),
            m: () => document.getElementById("mesh")!.click(),
            c: () => root.classList.toggle("no-charts"),
            p: () => root.classList.toggle("no-panel"),
            t: () => this.flipTheme(),
            "?": () => this.help.showModal(),
            "1": () => this.setColour("material"),
            "2": () => this.setColour("displacement"),
            "3": () => this.setColour("energy"),
            "4": () => this.setColour("mises"),
        };
        const found = act[event.key.toLowerCase()];
        if (!found || (event.key === " " && at.matches("button, a, input"))) return;
        event.preventDefault();
        found();
    }

    // For scripts and tests.
    peek(): {
        scene: Scene | null;
        frame: Frame | null;
        handle: (marker: number) => number[];
        ghostOff: () => number;
        shown: string;
    } {
        return {
            scene: this.scene,
            frame: this.frame,
            handle: (marker) => this.stage.handleOnScreen(marker),
            ghostOff: () => this.stage.ghostOff(this.frame!),
            shown: digits(this.frame?.time ?? 0),
        };
    }
}

function swapIconOnce(node: HTMLElement, name: string): void {
    if (node.dataset.icon === name) return;
    node.dataset.icon = name;
    swapIcon(node, name);
}

declare global {
    interface Window {
        lithe: App;
    }
}

window.lithe = new App(document.getElementById("app")!);
