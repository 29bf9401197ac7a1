// Numbers as people say them: "12.5 mm", "180 kPa".

export interface Unit {
    name: string;
    si: number;
    from: number; // the smallest SI value that is shown in it
}

const UNITS: Record<string, Unit[]> = {
    length: [
        { name: "µm", si: 1e-6, from: 0 },
        { name: "mm", si: 1e-3, from: 1e-5 },
        { name: "m", si: 1, from: 1 },
    ],
    force: [
        { name: "mN", si: 1e-3, from: 0 },
        { name: "N", si: 1, from: 1e-2 },
        { name: "kN", si: 1e3, from: 1e4 },
    ],
    pressure: [
        { name: "Pa", si: 1, from: 0 },
        { name: "kPa", si: 1e3, from: 1e2 },
        { name: "MPa", si: 1e6, from: 1e6 },
    ],
    volume: [
        { name: "mm³", si: 1e-9, from: 0 },
        { name: "ml", si: 1e-6, from: 1e-8 },
        { name: "l", si: 1e-3, from: 1e-2 },
    ],
    energy: [
        { name: "J/m³", si: 1, from: 0 },
        { name: "kJ/m³", si: 1e3, from: 1e3 },
        { name: "MJ/m³", si: 1e6, from: 1e6 },
    ],
    angle: [{ name: "°", si: Math.PI / 180, from: 0 }],
    time: [
        { name: "µs", si: 1e-6, from: 0 },
        { name: "ms", si: 1e-3, from: 1e-4 },
        { name: "s", si: 1, from: 1 },
    ],
    number: [{ name: "", si: 1, from: 0 }],
};

const USUAL: Record<string, string> = {
    length: "mm",
    force: "N",
    pressure: "kPa",
    volume: "ml",
    energy: "J/m³",
    time: "ms",
};

// The unit in which values of that size are best read; nothing at all is said in the usual one.
export function unitFor(dimension: string, size: number): Unit {
    const units = UNITS[dimension] ?? UNITS.number;
    if (!(size > 0) || !Number.isFinite(size)) return usualUnit(dimension);
    let best = units[0];
    for (const unit of units) if (size >= unit.from) best = unit;
    return best;
}

export function usualUnit(dimension: string): Unit {
    const units = UNITS[dimension] ?? UNITS.number;
    return units.find((unit) => unit.name === USUAL[dimension]) ?? units[0];
}

export function digits(value: number, n = 3): string {
    if (!Number.isFinite(value)) return "–";
    if (Math.abs(value) < 1e-12) return "0";
    const text = value.toPrecision(n);
    return text.includes("e") ? Number(text).toString() : text;
}

// Without zeros at the end: for the ticks of an axis.
export function tick(value: number): string {
    return String(Number(value.toPrecision(6)));
}

export function show(dimension: string, value: number, n = 3): string {
    if (!Number.isFinite(value)) return "–";
    const unit = unitFor(dimension, Math.abs(value));
    return `${digits(value / unit.si, n)} ${unit.name}`.trim();
}

// 1, 2 or 5 times a power of ten, not above the value.
export function niceBelow(value: number): number {
    const power = 10 ** Math.floor(Math.log10(value));
    for (const step of [5, 2, 1]) if (step * power <= value * (1 + 1e-9)) return step * power;
    return power;
}
