// What is written over the picture: legend, scale bar, axes, and how far off target.
import { gradientCss } from "./colour";
import { el } from "./dom";
import type { Frame, Scene } from "./protocol";
import type { ColourBy, Stage } from "./stage";
import { digits, niceBelow, show, unitFor } from "./units";

const FIELD: Record<ColourBy, [string, string]> = {
    material: ["", ""],
    displacement: ["Displacement", "length"],
    energy: ["Strain energy density", "energy"],
    mises: ["von Mises stress", "pressure"],
};

export class Overlay {
    readonly box = el("div", { class: "overlay" });
    private readonly title = el("div", { class: "title" });
    private readonly ticks = el("div", { class: "ticks" });
    private readonly legend: HTMLElement;
    private readonly bar = el("div", { class: "bar" });
    private readonly barText = el("div", { class: "bar-text" });
    private readonly axes = el("canvas", {
        width: 128,
        height: 128,
        class: "axes",
        "aria-hidden": "true",
    });
    private readonly gaps = el("div", {});
    private scene: Scene | null = null;

    constructor(private readonly stage: Stage) {
        const ramp = el("div", { class: "ramp", style: `background:${gradientCss()}` });
        this.legend = el(
            "div",
            { class: "legend", hidden: true },
            this.title,
            el("div", { class: "scale" }, ramp, this.ticks),
        );
        this.box.append(
            this.legend,
            this.gaps,
            el("div", { class: "corner" }, this.axes, el("div", {}, this.bar, this.barText)),
        );
        stage.onMove = () => this.moved();
    }

    show(scene: Scene): void {
        this.scene = scene;
        this.moved();
    }

    moved(): void {
        this.drawScale();
        this.drawAxes();
    }

    private drawScale(): void {
        const metres = this.stage.metresPerPixel();
        const length = niceBelow(110 * metres);
        if (!(length > 0)) return;
        this.bar.style.width = `${length / metres}px`;
        this.barText.textContent = show("length", length, 2).replace(/\.0(?= )/, "");
    }

    private drawAxes(): void {
        const g = this.axes.getContext("2d")!;
        const css = getComputedStyle(document.documentElement);
        const ends = this.stage.axesOnScreen();
        const colours = { x: "#d55e00", y: "#009e73", z: "#0072b2" };
        g.setTransform(2, 0, 0, 2, 64, 64);
        g.clearRect(-32, -32, 64, 64);
        g.lineWidth = 2;
        g.font = "600 10px system-ui, sans-serif";
        g.textAlign = "center";
        g.textBaseline = "middle";
        const order = (["x", "y", "z"] as const).slice().sort((a, b) => ends[a][2] - ends[b][2]);
        for (const name of order) {
            const [x, y] = ends[name];
            g.strokeStyle = colours[name];
            g.beginPath();
            g.moveTo(0, 0);
            g.lineTo(19 * x, 19 * y);
            g.stroke();
            g.fillStyle = css.getPropertyValue("--ink").trim();
            g.fillText(name, 26 * x, 26 * y);
        }
    }

    update(frame: Frame): void {
        this.drawLegend();
        this.drawGaps(frame);
    }

    private drawLegend(): void {
        const [title, dimension] = FIELD[this.stage.look.colour];
        this.legend.hidden = title === "";
        if (!title) return;
        const { high } = this.stage.range;
        const unit = unitFor(dimension, high);
        this.title.textContent = `${title} (${unit.name})`;
        const texts = [1, 0.75, 0.5, 0.25, 0].map((share) => digits((share * high) / unit.si));
        if (this.ticks.textContent !== texts.join(""))
            this.ticks.replaceChildren(...texts.map((t) => el("span", {}, t)));
    }

    // Beside a target that is not reached: by how much.
    private drawGaps(frame: Frame): void {
        const scene = this.scene!;
        const size = Math.hypot(...scene.upper.map((u, i) => u - scene.lower[i]));
        const labels: HTMLElement[] = [];
        for (let i = 0; i < scene.markers.length; i++) {
            const away = Math.hypot(
                ...[0, 1, 2].map((k) => frame.targets[3 * i + k] - frame.markers[3 * i + k]),
            );
            if (!(away > 0.004 * size) || this.stage.isDragging()) continue;
            const [x, y] = this.stage.handleOnScreen(i);
            labels.push(
                el(
                    "div",
                    { class: "gap", style: `left:${x}px;top:${y}px` },
                    `${show("length", away)} off`,
                ),
            );
        }
        this.gaps.replaceChildren(...labels);
    }
}
