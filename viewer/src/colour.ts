// Colours of fields and of things. The map is cividis, which people with any kind of colour vision read alike
// [nunez2018]; sampled at 17 points and interpolated between them.

const CIVIDIS = [
    0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x52596d, 0x61656f, 0x6f7073, 0x7c7b78,
    0x8b8778, 0x9b9376, 0xaba072, 0xbbad6c, 0xccba64, 0xddc958, 0xefd748, 0xfee838,
];

// Okabe and Ito's palette, in the order in which neighbours differ most.
export const SERIES = [
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#8a8a00",
    "#7a7a7a",
];
export const MATERIALS = [
    "#5f9ea8",
    "#e0a458",
    "#7aa874",
    "#b589b0",
    "#86b8dc",
    "#d98262",
    "#bdb76b",
    "#9a9a9a",
];

const TABLE = new Float32Array(256 * 3);

// Vertex colours are linear light, as three.js wants them.
function toLinear(c: number): number {
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (CIVIDIS.length - 1);
    const low = Math.min(Math.floor(at), CIVIDIS.length - 2);
    const share = at - low;
    for (let k = 0; k < 3; k++) {
        const shift = 16 - 8 * k;
        const a = (CIVIDIS[low] >> shift) & 255;
        const b = (CIVIDIS[low + 1] >> shift) & 255;
        TABLE[3 * i + k] = toLinear((a + share * (b - a)) / 255);
    }
}

export function paint(share: number, out: Float32Array, at: number): void {
    const i = 3 * Math.max(0, Math.min(255, Math.round(share * 255)));
    out[at] = TABLE[i];
    out[at + 1] = TABLE[i + 1];
    out[at + 2] = TABLE[i + 2];
}

export function gradientCss(): string {
    const stops = CIVIDIS.map((c) => `#${c.toString(16).padStart(6, "0")}`);
    return `linear-gradient(to top, ${stops.join(", ")})`;
}
