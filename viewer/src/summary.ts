// How a run ended, as a table.
import { el } from "./dom";
import type { Quantity, Scene } from "./protocol";
import { digits, show } from "./units";

interface Summary {
    steps: number;
    nodes: number;
    elements: number;
    dofs: number;
    converged: boolean | null;
    residual: { force: number; task: number };
    step_ms: { median: number; p99: number };
    effectors: Record<string, { error: number | null; error_rms: number | null }>;
    reduction?: { modes: number; elements: number; estimate: number | null; whole: boolean };
    actuators: Record<string, Record<"effort" | "displacement", number | number[] | null>>;
}

const row = (name: string, ...value: string[]): HTMLElement =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value.join(", ")));

function told(quantity: Quantity | null, value: number | number[] | null): string[] {
    if (!quantity || value === null) return [];
    const parts = [value].flat().map((v) => show(quantity.dimension, v));
    return [`${quantity.name} ${parts.join(" ")}`];
}

export function summaryTable(json: string, scene: Scene): HTMLElement[] {
    const s = JSON.parse(json) as Summary;
    const end = s.converged === null ? "realtime" : s.converged ? "converged" : "did not converge";
    const rows = [
        row("steps", `${s.steps}`, end),
        row("robot", `${s.nodes} nodes`, `${s.elements} elements`),
        row("residual", digits(s.residual.force, 2)),
        row(
            "step time",
            `${digits(s.step_ms.median)} ms median`,
            `${digits(s.step_ms.p99)} ms p99`,
        ),
    ];
    if (s.reduction) {
        const { modes, elements, estimate, whole } = s.reduction;
        const off = estimate === null ? [] : [`${show("length", estimate)} off by estimate`];
        const parts = [`${modes} coordinates`, `${elements} elements`];
        rows.push(row("reduced", ...parts, ...(whole ? ["the whole robot went on"] : off)));
    }
    for (const effector of scene.effectors) {
        const e = s.effectors[effector.name];
        if (!e || e.error === null) continue;
        const rms = show(effector.dimension, e.error_rms ?? Number.NaN);
        rows.push(row(effector.name, `off ${show(effector.dimension, e.error)}`, `rms ${rms}`));
    }
    for (const actuator of scene.actuators) {
        const a = s.actuators[actuator.name];
        if (!a) continue;
        const parts = [
            ...told(actuator.displacement, a.displacement),
            ...told(actuator.effort, a.effort),
        ];
        rows.push(row(actuator.name, ...parts));
    }
    return [el("h2", {}, "Summary"), el("table", {}, el("tbody", {}, ...rows))];
}
