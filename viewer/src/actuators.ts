// A slider for every actuator: what it is told, what it does, and whether it is at its stop.
import { SERIES } from "./colour";
import { el } from "./dom";
import type { Actuator, Frame, Quantity, Scene } from "./protocol";
import { digits, show, unitFor } from "./units";

export type Command = (actuator: number, kind: "effort" | "displacement", value: number[]) => void;

const near = (value: number, limit: number | null, range: number): boolean =>
    limit !== null && Math.abs(value - limit) <= 2e-3 * range;

// The end of its range that an actuator cannot go beyond; 0 is rest, not a stop.
export function stopOf(
    actuator: Actuator,
    frame: Frame,
): { quantity: Quantity; limit: number } | null {
    for (const kind of ["displacement", "effort"] as const) {
        const quantity = actuator[kind];
        if (!quantity) continue;
        const [low, high] = quantity.limits;
        const range = (high ?? Math.abs(low ?? 0)) - (low ?? 0) || Math.abs(high ?? 1);
        for (let k = 0; k < actuator.rows; k++) {
            const value = frame[kind][actuator.row + k];
            if (near(value, high, range)) return { quantity, limit: high! };
            if (low !== 0 && near(value, low, range)) return { quantity, limit: low! };
        }
    }
    return null;
}

class Row {
    readonly box: HTMLElement;
    private readonly inputs: HTMLInputElement[] = [];
    private readonly readings: HTMLElement[] = [];
    private readonly other = el("span", { class: "other" });
    private readonly badge = el("span", { class: "badge", hidden: true });
    private readonly quantity: Quantity;
    private readonly kind: "effort" | "displacement";
    private readonly unit;
    private touched = 0;

    constructor(
        private readonly actuator: Actuator,
        number: number,
        private readonly command: Command,
    ) {
        this.kind = actuator.command;
        this.quantity = actuator[this.kind] ?? actuator.effort;
        const [low, high] = this.range();
        this.unit = unitFor(this.quantity.dimension, Math.max(Math.abs(low), Math.abs(high)));
        const dot = el("i", {
            class: "dot",
            style: `background:${SERIES[number % SERIES.length]}`,
        });
        const head = el(
            "div",
            { class: "head" },
            dot,
            el("strong", {}, actuator.name),
            this.badge,
            this.other,
        );
        this.box = el("div", { class: "actuator", "data-actuator": actuator.name }, head);
        for (let k = 0; k < actuator.rows; k++) this.addSlider(number, k);
    }

    private range(): [number, number] {
        const [low, high] = this.quantity.limits;
        const guess: Record<string, number> = {
            force: 10,
            pressure: 2e4,
            length: 0.05,
            volume: 2e-5,
        };
        const reach = guess[this.quantity.dimension] ?? 1;
        return [
            low ?? (high === null ? -reach : Math.min(0, high - 2 * reach)),
            high ?? Math.max(reach, (low ?? 0) + reach),
        ];
    }

    private addSlider(number: number, k: number): void {
        const [low, high] = this.range();
        const axis = this.actuator.rows === 3 ? ` ${"xyz"[k]}` : "";
        const label = `${this.actuator.name} ${this.quantity.name}${axis}`;
        const input = el("input", {
            type: "range",
            min: low / this.unit.si,
            max: high / this.unit.si,
            step: (high - low) / this.unit.si / 500,
            value: 0,
            "aria-label": label,
            input: () => {
                this.touched = performance.now();
                this.command(
                    number,
                    this.kind,
                    this.inputs.map((node) => Number(node.value) * this.unit.si),
                );
            },
        });
        const reading = el("output", {});
        const ends = el(
            "div",
            { class: "ends" },
            el("span", {}, digits(low / this.unit.si)),
            el("span", {}, `${this.quantity.name}${axis}`),
            el("span", {}, `${digits(high / this.unit.si)} ${this.unit.name}`),
        );
        this.inputs.push(input);
        this.readings.push(reading);
        this.box.append(el("div", { class: "slide" }, input, reading), ends);
    }

    // The slider follows the robot, but not under the user's finger.
    update(frame: Frame, forward: boolean): void {
        const values = frame[this.kind];
        const held = forward && performance.now() - this.touched < 1500;
        this.inputs.forEach((input, k) => {
            const value = values[this.actuator.row + k] / this.unit.si;
            if (!held) input.value = String(value);
            const [low, high] = [Number(input.min), Number(input.max)];
            input.style.setProperty(
                "--share",
                `${(100 * (Number(input.value) - low)) / (high - low)}%`,
            );
            const shown = Math.abs(value) < 1e-4 * (high - low) ? 0 : value;
            this.readings[k].textContent = `${digits(shown)} ${this.unit.name}`;
        });
        this.tellOther(frame);
        const stop = stopOf(this.actuator, frame);
        this.box.classList.toggle("stopped", stop !== null);
        this.badge.hidden = stop === null;
        if (stop) this.badge.textContent = `${stop.quantity.name} limit`;
    }

    private tellOther(frame: Frame): void {
        const kind = this.kind === "effort" ? "displacement" : "effort";
        const quantity = this.actuator[kind];
        if (!quantity || this.actuator.rows > 1) return;
        const value = frame[kind][this.actuator.row];
        const slack = kind === "effort" && quantity.name === "tension" && value < 1e-9;
        this.other.textContent = slack
            ? "slack"
            : `${quantity.name} ${show(quantity.dimension, value)}`;
    }

    enable(on: boolean): void {
        for (const input of this.inputs) input.disabled = !on;
    }
}

export class Actuators {
    readonly box = el("div", { class: "actuators" });
    private rows: Row[] = [];

    constructor(private readonly command: Command) {}

    show(scene: Scene): void {
        this.rows = scene.actuators.map((a, i) => new Row(a, i, this.command));
        this.box.replaceChildren(...this.rows.map((row) => row.box));
    }

    update(frame: Frame, forward: boolean): void {
        for (const row of this.rows) row.update(frame, forward);
    }

    enable(on: boolean): void {
        for (const row of this.rows) row.enable(on);
    }
}
