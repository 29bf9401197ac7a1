// The messages between program and page: docs/protocol.md.

export interface Quantity {
    name: string;
    dimension: string;
    told: boolean;
    limits: [number | null, number | null];
}

export interface Actuator {
    name: string;
    row: number;
    rows: number;
    given: boolean;
    effort: Quantity;
    displacement: Quantity | null;
    command: "effort" | "displacement";
    value: number[];
}

export interface Measure {
    name: string;
    dimension: string;
    row: number;
    points: number;
    components: number;
    axes: number;
}

export interface Material {
    name: string;
    young: number;
    poisson: number;
}

export interface Obstacle {
    name: string;
    at: [number, number, number]; // what it rotates about, where it begins
    hollow: boolean; // solid is what lies outside
    endless: boolean; // only a part of it is drawn
    vertices: number[]; // 3 each, from `at`
    triangles: number[];
}

export interface SceneHead {
    version: string;
    name: string;
    live: boolean;
    machine: boolean; // one is driven: the page may stop it, and nothing else
    ghost: boolean; // … and tells points enough for a shape of its own
    frames: number;
    dt: number;
    realtime: boolean;
    task: boolean;
    vertices: number;
    triangles: number;
    nodes: number;
    elements: number;
    dofs: number;
    driven: number;
    rows: number;
    lower: [number, number, number];
    upper: [number, number, number];
    gravity: [number, number, number];
    materials: Material[];
    bodies: string[];
    actuators: Actuator[];
    effectors: Measure[];
    sensors: Measure[];
    lines: { actuator: number; rod: boolean; points: number }[];
    cavities: { actuator: number; triangles: number }[];
    joints: string[];
    markers: { effector: number; movable: boolean }[];
    obstacles: Obstacle[];
}

export interface Scene extends SceneHead {
    rest: Float32Array; // vertices x 3
    tri: Uint32Array; // triangles x 3
    triMaterial: Uint32Array;
    triBody: Uint32Array;
    cavityTri: Uint32Array;
    linePoints: number;
}

export enum Mode {
    Forward = 0,
    Inverse = 1,
    Task = 2,
}

export const Field = { energy: 1, mises: 2 } as const;

// Numbers of one step, as charts want them.
export interface Sample {
    step: number;
    time: number;
    stepTime: number;
    force: number;
    task: number;
    effort: Float64Array;
    displacement: Float64Array;
    value: Float64Array; // of effectors and sensors
    target: Float64Array; // NaN: none
}

export interface Frame extends Sample {
    paused: boolean;
    failed: boolean;
    recording: boolean;
    recorded: boolean;
    drives: boolean;
    mode: Mode;
    number: number;
    speed: number;
    load: number;
    off: number; // a reduced robot's effectors from the whole one's, m, by estimate; NaN: unknown
    x: Float32Array;
    lines: Float32Array;
    markers: Float32Array;
    targets: Float32Array;
    ghost: Float32Array | null; // the machine's skin, vertices x 3
    energy: Float32Array | null;
    mises: Float32Array | null;
    ways: Float32Array; // obstacles x 6: moved, turned (axis times angle)
    joints: Float32Array; // joints x 7: where, axis (0: none), 1 at a stop
    contacts: Float32Array; // point, force
}

export type Incoming =
    | { type: "scene"; scene: Scene }
    | { type: "frame"; frame: Frame }
    | { type: "note"; text: string }
    | { type: "series"; samples: Sample[] }
    | { type: "summary"; text: string };

function decodeScene(data: ArrayBuffer): Scene {
    const length = new DataView(data).getUint32(4, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8, length))) as SceneHead;
    let at = 8 + length;
    const take = (n: number): number => {
        const start = at;
        at += 4 * n;
        return start;
    };
    const cavity = head.cavities.reduce((sum, c) => sum + c.triangles, 0);
    return {
        ...head,
        rest: new Float32Array(data, take(3 * head.vertices), 3 * head.vertices),
        tri: new Uint32Array(data, take(3 * head.triangles), 3 * head.triangles),
        triMaterial: new Uint32Array(data, take(head.triangles), head.triangles),
        triBody: new Uint32Array(data, take(head.triangles), head.triangles),
        cavityTri: new Uint32Array(data, take(3 * cavity), 3 * cavity),
        linePoints: head.lines.reduce((sum, line) => sum + line.points, 0),
    };
}

function decodeFrame(data: ArrayBuffer, scene: Scene): Frame {
    const view = new DataView(data);
    const flags = view.getUint8(1);
    const fields = view.getUint16(2, true);
    const measured = scene.rows - scene.driven;
    let at = 72;
    const doubles = (n: number): Float64Array => {
        const start = at;
        at += 8 * n;
        return new Float64Array(data, start, n);
    };
    const floats = (n: number): Float32Array => {
        const start = at;
        at += 4 * n;
        return new Float32Array(data, start, n);
    };
    return {
        paused: (flags & 1) !== 0,
        failed: (flags & 2) !== 0,
        recording: (flags & 4) !== 0,
        drives: (flags & 8) !== 0,
        recorded: (flags & 16) !== 0,
        mode: (flags >> 5) as Mode,
        step: view.getUint32(4, true),
        number: view.getUint32(8, true),
        time: view.getFloat64(16, true),
        stepTime: view.getFloat64(24, true),
        force: view.getFloat64(32, true),
        task: view.getFloat64(40, true),
        speed: view.getFloat64(48, true),
        load: view.getFloat64(56, true),
        off: view.getFloat64(64, true),
        effort: doubles(scene.driven),
        displacement: doubles(scene.driven),
        value: doubles(measured),
        target: doubles(measured),
        x: floats(3 * scene.vertices),
        lines: floats(3 * scene.linePoints),
        markers: floats(3 * scene.markers.length),
        targets: floats(3 * scene.markers.length),
        ghost: scene.ghost ? floats(3 * scene.vertices) : null,
        energy: (fields & Field.energy) !== 0 ? floats(scene.vertices) : null,
        mises: (fields & Field.mises) !== 0 ? floats(scene.vertices) : null,
        ways: floats(6 * scene.obstacles.length),
        joints: floats(7 * scene.joints.length),
        contacts: floats(6 * view.getUint32(12, true)),
    };
}

function decodeSeries(data: ArrayBuffer, scene: Scene): Sample[] {
    const n = new DataView(data).getUint32(4, true);
    const measured = scene.rows - scene.driven;
    const width = 4 + 2 * scene.driven + 2 * measured;
    const all = new Float64Array(data, 8, n * width);
    const samples: Sample[] = [];
    for (let i = 0; i < n; i++) {
        let at = i * width + 4;
        const take = (count: number): Float64Array => {
            at += count;
            return all.subarray(at - count, at);
        };
        const [time, stepTime, force, task] = all.subarray(i * width, i * width + 4);
        samples.push({
            step: i,
            time,
            stepTime,
            force,
            task,
            effort: take(scene.driven),
            displacement: take(scene.driven),
            value: take(measured),
            target: take(measured),
        });
    }
    return samples;
}

export function decode(data: ArrayBuffer, scene: Scene | null): Incoming | null {
    const type = new DataView(data).getUint8(0);
    const text = (): string => new TextDecoder().decode(new Uint8Array(data, 4));
    if (type === 1) return { type: "scene", scene: decodeScene(data) };
    if (type === 3) return { type: "note", text: text() };
    if (type === 5) return { type: "summary", text: text() };
    if (type === 2 && scene) return { type: "frame", frame: decodeFrame(data, scene) };
    if (type === 4 && scene) return { type: "series", samples: decodeSeries(data, scene) };
    return null;
}

export const Say = {
    drive: 1,
    play: 2,
    speed: 3,
    mode: 4,
    command: 5,
    target: 6,
    release: 7,
    material: 8,
    record: 9,
    fields: 10,
    seen: 11,
    seek: 12,
    obstacle: 13,
    stop: 14,
    body: 15,
} as const;

export const Play = { pause: 0, resume: 1, step: 2, reset: 3 } as const;

export function encode(
    type: number,
    number = 0,
    value: ArrayLike<number> = [],
    kind = 0,
): ArrayBuffer {
    const data = new ArrayBuffer(32);
    const view = new DataView(data);
    view.setUint8(0, type);
    view.setUint8(1, kind);
    view.setUint32(4, number, true);
    for (let i = 0; i < value.length && i < 3; i++) view.setFloat64(8 + 8 * i, value[i], true);
    return data;
}
