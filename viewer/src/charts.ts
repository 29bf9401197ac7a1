// Numbers over time: efforts, displacements, errors, step times.
import uPlot from "uplot";
import { SERIES } from "./colour";
import { el } from "./dom";
import type { Sample, Scene } from "./protocol";
import { digits, tick, type Unit, unitFor, usualUnit } from "./units";

const KEPT = 200000; // samples
const WINDOW = 20; // seconds that a live chart shows

interface Line {
    name: string;
    column: string; // in a table: SI
    dashed?: boolean;
    of: (sample: Sample) => number;
}

interface ChartPlan {
    title: string;
    dimension: string;
    fromZero?: boolean;
    lines: Line[];
}

const SI: Record<string, string> = {
    length: "m",
    force: "N",
    pressure: "Pa",
    volume: "m^3",
    angle: "rad",
    time: "s",
};
const LEAST: Record<string, number> = { length: 2e-5, force: 1e-2, pressure: 1, volume: 1e-9 }; // spans of an axis
const axisName = ["x", "y", "z"];

function actuatorLines(scene: Scene, kind: "effort" | "displacement"): Map<string, Line[]> {
    const groups = new Map<string, Line[]>();
    for (const actuator of scene.actuators) {
        const quantity = actuator[kind];
        if (!quantity) continue;
        const lines = groups.get(quantity.dimension) ?? [];
        groups.set(quantity.dimension, lines);
        for (let k = 0; k < actuator.rows; k++) {
            const axis = actuator.rows === 3 ? `.${axisName[k]}` : "";
            const row = actuator.row + k;
            lines.push({
                name: actuator.name + axis,
                column: `${actuator.name}.${quantity.name}${axis}_${SI[quantity.dimension] ?? ""}`,
                of: (s) => s[kind][row],
            });
        }
    }
    return groups;
}

// How far an effector is from its target; NaN without one.
export function errorOf(scene: Scene, effector: number, s: Sample): number {
    const e = scene.effectors[effector];
    const first = e.row - scene.driven;
    let sum = 0;
    for (let i = first; i < first + e.points * e.components; i++)
        sum += (s.value[i] - s.target[i]) ** 2;
    return Math.sqrt(sum);
}

function plans(scene: Scene): ChartPlan[] {
    const found: ChartPlan[] = [];
    const titles = {
        force: "Force",
        pressure: "Pressure",
        length: "Displacement",
        volume: "Volume",
    } as Record<string, string>;
    for (const kind of ["effort", "displacement"] as const)
        for (const [dimension, lines] of actuatorLines(scene, kind)) {
            const names = new Set(
                scene.actuators
                    .filter((a) => a[kind]?.dimension === dimension)
                    .map((a) => a[kind]!.name),
            );
            const title = names.size === 1 ? [...names][0] : (titles[dimension] ?? kind);
            found.push({ title: title[0].toUpperCase() + title.slice(1), dimension, lines });
        }
    const errors = scene.effectors.map((e, i) => ({
        name: e.name,
        column: `${e.name}.error_${SI[e.dimension] ?? ""}`,
        of: (s: Sample) => errorOf(scene, i, s),
    }));
    if (errors.length > 0)
        found.push({
            title: "Off target",
            dimension: scene.effectors[0].dimension,
            fromZero: true,
            lines: errors,
        });
    found.push({
        title: "Step time",
        fromZero: true,
        dimension: "time",
        lines: [
            { name: "step", column: "step_time_s", of: (s) => s.stepTime },
            { name: "deadline", column: "deadline_s", dashed: true, of: () => scene.dt },
        ],
    });
    return found;
}

class Chart {
    readonly box: HTMLElement;
    private plot: uPlot | null = null;
    private unit: Unit;
    private readonly head: HTMLElement;

    constructor(
        private readonly plan: ChartPlan,
        private readonly onSeek: ((time: number) => void) | null,
    ) {
        this.unit = usualUnit(plan.dimension);
        this.head = el("h3", {});
        this.box = el("figure", { class: "chart" }, this.head);
    }

    private options(width: number, height: number): uPlot.Options {
        const css = getComputedStyle(document.documentElement);
        const ink = css.getPropertyValue("--ink-soft").trim();
        const grid = { stroke: css.getPropertyValue("--line").trim(), width: 1 };
        const axis = { stroke: ink, grid, ticks: grid, font: "11px system-ui, sans-serif" };
        return {
            width,
            height,
            legend: { live: true },
            cursor: { points: { size: 6 }, drag: { x: false, y: false }, sync: { key: "lithe" } },
            scales: { x: { time: false }, y: { range: (_u, low, high) => this.span(low, high) } },
            series: [
                { label: "time", value: (_u, v) => (v == null ? "" : `${digits(v, 4)} s`) },
                ...this.plan.lines.map((line, i) => ({
                    label: line.name,
                    stroke: line.dashed ? ink : SERIES[i % SERIES.length],
                    width: line.dashed ? 1 : 1.75,
                    dash: line.dashed ? [5, 4] : undefined,
                    points: { show: false },
                    value: (_u: uPlot, v: number | null) =>
                        v == null ? "–" : `${digits(v)} ${this.unit.name}`,
                })),
            ],
            axes: [
                {
                    ...axis,
                    size: 26,
                    space: 70,
                    values: (_u, ticks) => ticks.map((t) => `${tick(t)} s`),
                },
                { ...axis, size: 48, space: 26 },
            ],
        };
    }

    // Not so narrow that roundoff looks like motion.
    private span(low: number | null, high: number | null): [number, number] {
        const least = (LEAST[this.plan.dimension] ?? 0) / this.unit.si;
        const bottom = Math.min(low ?? 0, this.plan.fromZero ? 0 : Number.POSITIVE_INFINITY);
        const top = high ?? bottom + 1;
        const middle = (bottom + top) / 2;
        const half = Math.max((top - bottom) / 2, least / 2, 1e-12) * 1.08;
        return this.plan.fromZero ? [bottom, bottom + 2 * half] : [middle - half, middle + half];
    }

    resize(): void {
        this.plot?.destroy();
        this.plot = null;
    }

    private create(data: uPlot.AlignedData): void {
        const width = this.box.clientWidth - 16;
        if (width < 40) return;
        this.plot = new uPlot(this.options(width, 128), data, this.box);
        if (this.onSeek)
            this.plot.over.addEventListener("click", () => {
                const left = this.plot!.cursor.left ?? -1;
                if (left >= 0) this.onSeek!(this.plot!.posToVal(left, "x"));
            });
    }

    draw(time: number[], columns: number[][], at: number | null): void {
        let high = 0;
        for (const column of columns)
            for (const v of column) if (Math.abs(v) > high) high = Math.abs(v);
        this.unit = unitFor(this.plan.dimension, Math.max(high, LEAST[this.plan.dimension] ?? 0));
        this.head.textContent = this.unit.name
            ? `${this.plan.title} · ${this.unit.name}`
            : this.plan.title;
        const scaled = columns.map((column) =>
            column.map((v) => (Number.isFinite(v) ? v / this.unit.si : null)),
        );
        const data = [time, ...scaled] as uPlot.AlignedData;
        if (this.plot) this.plot.setData(data);
        else this.create(data);
        this.mark(at);
    }

    // A line at the time that is shown in space.
    private mark(at: number | null): void {
        const over = this.plot?.over;
        if (!over) return;
        let line = over.querySelector<HTMLElement>(".now");
        if (at === null) {
            line?.remove();
            return;
        }
        if (!line) {
            line = el("div", { class: "now" });
            over.appendChild(line);
        }
        line.style.left = `${this.plot!.valToPos(at, "x")}px`;
    }
}

export class Charts {
    readonly box = el("div", { class: "charts" });
    private charts: Chart[] = [];
    private plans: ChartPlan[] = [];
    private samples: Sample[] = [];
    private live = true;
    private drawn = 0;
    private at = 0;

    constructor(private readonly onSeek: (time: number) => void) {
        new ResizeObserver(() => {
            for (const chart of this.charts) chart.resize();
            this.drawn = 0;
            this.draw();
        }).observe(this.box);
    }

    show(scene: Scene): void {
        const plan = plans(scene);
        const same = JSON.stringify(plan) === JSON.stringify(this.plans);
        this.plans = plan;
        this.live = scene.live;
        if (same) return;
        this.samples = [];
        this.charts = plan.map((p) => new Chart(p, scene.live ? null : this.onSeek));
        this.box.replaceChildren(...this.charts.map((chart) => chart.box));
    }

    restyle(): void {
        for (const chart of this.charts) chart.resize();
        this.drawn = 0;
        this.draw();
    }

    fill(samples: Sample[]): void {
        this.samples = samples;
        this.drawn = 0;
        this.draw();
    }

    // Time that goes back is a robot that was reset.
    add(sample: Sample): void {
        const last = this.samples[this.samples.length - 1];
        if (last && sample.step < last.step) this.samples = [];
        if (last && sample.step === last.step) return;
        this.samples.push(sample);
        if (this.samples.length > KEPT) this.samples.splice(0, KEPT / 10);
        this.draw();
    }

    seek(time: number): void {
        this.at = time;
        this.draw();
    }

    private draw(): void {
        const now = performance.now();
        if (now - this.drawn < 120 || this.box.offsetParent === null || this.samples.length === 0)
            return;
        this.drawn = now;
        const last = this.samples[this.samples.length - 1].time;
        const first = this.live ? this.samples.findIndex((s) => s.time >= last - WINDOW) : 0;
        const stride = Math.max(1, Math.floor((this.samples.length - first) / 1500));
        const shown = this.samples.filter(
            (_s, i) => i >= first && (this.samples.length - 1 - i) % stride === 0,
        );
        const time = shown.map((s) => s.time);
        this.charts.forEach((chart, i) => {
            const columns = this.plans[i].lines.map((line) => shown.map(line.of));
            chart.draw(time, columns, this.live ? null : this.at);
        });
    }

    // Everything that was seen, in SI.
    csv(): string {
        const lines = this.plans.flatMap((plan) => plan.lines);
        const head = ["time_s", "step", ...lines.map((line) => line.column)].join(",");
        const rows = this.samples.map((s) =>
            [s.time, s.step, ...lines.map((line) => line.of(s))]
                .map((v) => (Number.isFinite(v) ? String(v) : ""))
                .join(","),
        );
        return `${[head, ...rows].join("\n")}\n`;
    }
}
