// The robot's surface as triangles to draw: vertices are split where the rest shape has a crease, so that smooth
// shading keeps edges sharp, and every frame's normals are those of the deformed faces.
import { BufferAttribute, BufferGeometry } from "three";
import type { Scene } from "./protocol";

const CREASE = Math.cos((42 * Math.PI) / 180);

function faceNormals(x: Float32Array, tri: Uint32Array, out: Float32Array): void {
    for (let t = 0; t < tri.length; t += 3) {
        const a = 3 * tri[t];
        const b = 3 * tri[t + 1];
        const c = 3 * tri[t + 2];
        const ux = x[b] - x[a];
        const uy = x[b + 1] - x[a + 1];
        const uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a];
        const vy = x[c + 1] - x[a + 1];
        const vz = x[c + 2] - x[a + 2];
        out[t] = uy * vz - uz * vy;
        out[t + 1] = uz * vx - ux * vz;
        out[t + 2] = ux * vy - uy * vx;
    }
}

function cosine(normal: Float32Array, s: number, t: number): number {
    const dot =
        normal[s] * normal[t] + normal[s + 1] * normal[t + 1] + normal[s + 2] * normal[t + 2];
    const size = Math.hypot(normal[s], normal[s + 1], normal[s + 2]);
    const other = Math.hypot(normal[t], normal[t + 1], normal[t + 2]);
    return dot / (size * other || 1);
}

// Corners of triangles that share a vertex and lie smoothly beside each other become one drawn vertex.
function splitCorners(scene: Scene): { corner: Uint32Array; of: number[] } {
    const { tri, rest, vertices } = scene;
    const normal = new Float32Array(tri.length);
    const adr = new Uint32Array(vertices + 1);
    faceNormals(rest, tri, normal);
    for (const v of tri) adr[v + 1]++;
    for (let v = 0; v < vertices; v++) adr[v + 1] += adr[v];
    const corners = new Uint32Array(tri.length);
    const fill = adr.slice();
    for (let i = 0; i < tri.length; i++) corners[fill[tri[i]]++] = i;
    const drawn = new Uint32Array(tri.length);
    const of: number[] = [];
    for (let v = 0; v < vertices; v++) {
        const around = corners.subarray(adr[v], adr[v + 1]);
        const group = new Int32Array(around.length).fill(-1);
        for (let i = 0; i < around.length; i++) {
            if (group[i] >= 0) continue;
            const number = of.length;
            of.push(v);
            const open = [i];
            group[i] = number;
            for (let at = open.pop(); at !== undefined; at = open.pop()) {
                const s = around[at] - (around[at] % 3);
                for (let k = 0; k < around.length; k++) {
                    const t = around[k] - (around[k] % 3);
                    if (group[k] < 0 && cosine(normal, s, t) > CREASE) {
                        group[k] = number;
                        open.push(k);
                    }
                }
            }
        }
        for (let i = 0; i < around.length; i++) drawn[around[i]] = group[i];
    }
    return { corner: drawn, of };
}

function uniqueEdges(tri: Uint32Array, drawn: Uint32Array): Uint32Array {
    const seen = new Set<number>();
    const edges: number[] = [];
    for (let t = 0; t < tri.length; t += 3)
        for (let k = 0; k < 3; k++) {
            const i = t + k;
            const j = t + ((k + 1) % 3);
            const low = Math.min(tri[i], tri[j]);
            const key = low * 0x4000000 + Math.max(tri[i], tri[j]);
            if (seen.has(key)) continue;
            seen.add(key);
            edges.push(drawn[i], drawn[j]);
        }
    return new Uint32Array(edges);
}

export class Shape {
    readonly surface = new BufferGeometry();
    readonly edges = new BufferGeometry();
    readonly cavity = new BufferGeometry();
    readonly colour: Float32Array;
    readonly of: Uint32Array; // the scene's vertex behind each drawn one
    readonly material: Uint32Array; // of each drawn vertex
    private readonly position: BufferAttribute;
    private readonly normal: BufferAttribute;
    private readonly face: Float32Array;
    private readonly corner: Uint32Array;

    constructor(readonly scene: Scene) {
        const { corner, of } = splitCorners(scene);
        this.corner = corner;
        this.of = new Uint32Array(of);
        this.material = new Uint32Array(of.length);
        for (let i = 0; i < corner.length; i++)
            this.material[corner[i]] = scene.triMaterial[(i - (i % 3)) / 3];
        this.colour = new Float32Array(3 * of.length);
        this.face = new Float32Array(scene.tri.length);
        this.position = new BufferAttribute(new Float32Array(3 * of.length), 3);
        this.normal = new BufferAttribute(new Float32Array(3 * of.length), 3);
        this.surface.setIndex(new BufferAttribute(corner, 1));
        this.surface.setAttribute("position", this.position);
        this.surface.setAttribute("normal", this.normal);
        this.surface.setAttribute("color", new BufferAttribute(this.colour, 3));
        this.edges.setAttribute("position", this.position);
        this.edges.setIndex(new BufferAttribute(uniqueEdges(scene.tri, corner), 1));
        this.cavity.setAttribute("position", this.position);
        this.cavity.setIndex(new BufferAttribute(this.cavityIndex(), 1));
        this.place(scene.rest);
    }

    private cavityIndex(): Uint32Array {
        const first = new Uint32Array(this.scene.vertices);
        for (let i = this.of.length - 1; i >= 0; i--) first[this.of[i]] = i;
        return this.scene.cavityTri.map((v) => first[v]);
    }

    place(x: Float32Array): void {
        const p = this.position.array as Float32Array;
        for (let i = 0; i < this.of.length; i++) {
            const v = 3 * this.of[i];
            p[3 * i] = x[v];
            p[3 * i + 1] = x[v + 1];
            p[3 * i + 2] = x[v + 2];
        }
        this.position.needsUpdate = true;
        this.turnNormals(x);
    }

    private turnNormals(x: Float32Array): void {
        const n = this.normal.array as Float32Array;
        faceNormals(x, this.scene.tri, this.face);
        n.fill(0);
        for (let i = 0; i < this.corner.length; i++) {
            const at = 3 * this.corner[i];
            const t = i - (i % 3);
            n[at] += this.face[t];
            n[at + 1] += this.face[t + 1];
            n[at + 2] += this.face[t + 2];
        }
        for (let i = 0; i < n.length; i += 3) {
            const size = Math.hypot(n[i], n[i + 1], n[i + 2]) || 1;
            n[i] /= size;
            n[i + 1] /= size;
            n[i + 2] /= size;
        }
        this.normal.needsUpdate = true;
    }

    recolour(): void {
        this.surface.attributes.color.needsUpdate = true;
    }

    free(): void {
        this.surface.dispose();
        this.edges.dispose();
        this.cavity.dispose();
    }
}
