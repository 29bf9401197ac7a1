// What a robot may touch, and the forces with which it does.
import {
    BoxGeometry,
    BufferGeometry,
    CapsuleGeometry,
    ConeGeometry,
    CylinderGeometry,
    DoubleSide,
    Euler,
    Float32BufferAttribute,
    Group,
    InstancedMesh,
    Matrix4,
    Mesh,
    MeshStandardMaterial,
    PlaneGeometry,
    Quaternion,
    SphereGeometry,
    Vector3,
} from "three";
import type { Obstacle, Scene } from "./protocol";

const ARROWS = 512;
const Y = new Vector3(0, 1, 0);

function surfaceOf(o: Obstacle): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(o.vertices ?? [], 3));
    geometry.setIndex(o.triangles ?? []);
    geometry.translate(-o.at[0], -o.at[1], -o.at[2]); // it turns about its origin
    geometry.computeVertexNormals();
    return geometry;
}

function geometryOf(o: Obstacle, size: number): BufferGeometry {
    const axis = new Vector3(...o.to).sub(new Vector3(...o.at));
    switch (o.kind) {
        case "sphere":
            return new SphereGeometry(o.radius, 40, 28);
        case "box":
            return new BoxGeometry(...o.size);
        case "capsule":
            return new CapsuleGeometry(o.radius, axis.length(), 12, 36);
        case "cylinder":
            return new CylinderGeometry(o.radius, o.radius, axis.length(), 40);
        case "cone":
            return new CylinderGeometry(0, o.radius, axis.length(), 40);
        case "pipe":
            return new CylinderGeometry(o.radius, o.radius, 4 * size, 48, 1, true);
        case "mesh":
            return surfaceOf(o);
        default:
            return new PlaneGeometry(2.4 * size, 2.4 * size);
    }
}

function placeOf(o: Obstacle): { at: Vector3; turn: Quaternion } {
    const at = new Vector3(...o.at);
    const turn = new Quaternion();
    if (o.kind === "plane")
        turn.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...o.normal).normalize());
    if (o.kind === "box") turn.setFromEuler(new Euler(...o.rotate, "ZYX"));
    if (o.kind === "capsule" || o.kind === "cylinder" || o.kind === "cone" || o.kind === "pipe") {
        const to = new Vector3(...o.to);
        turn.setFromUnitVectors(Y, to.clone().sub(at).normalize());
        at.add(to).multiplyScalar(0.5);
    }
    return { at, turn };
}

export class Obstacles {
    readonly group = new Group();
    readonly meshes: Mesh[] = [];
    private readonly home: { at: Vector3; turn: Quaternion }[] = [];
    private readonly shafts: InstancedMesh;
    private readonly heads: InstancedMesh;
    private high = 0; // largest force so far

    constructor(
        scene: Scene,
        private readonly size: number,
    ) {
        for (const o of scene.obstacles) {
            const { at, turn } = placeOf(o);
            const material = new MeshStandardMaterial({
                color: 0xa3a9b4,
                roughness: 0.85,
                side: DoubleSide,
                transparent: true,
                opacity: o.kind === "pipe" || o.hollow ? 0.28 : o.kind === "plane" ? 0.5 : 0.8,
            });
            const mesh = new Mesh(geometryOf(o, size), material);
            mesh.position.copy(at);
            mesh.quaternion.copy(turn);
            mesh.receiveShadow = true;
            mesh.renderOrder = 5;
            this.home.push({ at, turn });
            this.meshes.push(mesh);
            this.group.add(mesh);
        }
        const red = (): MeshStandardMaterial =>
            new MeshStandardMaterial({
                color: 0xc2410c,
                roughness: 0.5,
                depthTest: false,
                transparent: true,
            });
        this.shafts = new InstancedMesh(
            new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0),
            red(),
            ARROWS,
        );
        this.heads = new InstancedMesh(
            new ConeGeometry(1, 1, 16).translate(0, 0.5, 0),
            red(),
            ARROWS,
        );
        for (const mesh of [this.shafts, this.heads]) {
            mesh.frustumCulled = false;
            mesh.renderOrder = 9;
            mesh.count = 0;
            this.group.add(mesh);
        }
    }

    moved(obstacle: number): Vector3 {
        return this.meshes[obstacle].position.clone().sub(this.home[obstacle].at);
    }

    // Each stands where the scene has it, turned about its own place and moved; the one that is held
    // is where the hand has it.
    place(ways: Float32Array, held: number): void {
        const axis = new Vector3();
        this.meshes.forEach((mesh, i) => {
            if (i !== held) mesh.position.fromArray(ways, 6 * i).add(this.home[i].at);
            const angle = axis.fromArray(ways, 6 * i + 3).length();
            mesh.quaternion.setFromAxisAngle(axis.normalize(), angle).multiply(this.home[i].turn);
        });
    }

    // An arrow ends where the force presses, and is as long as the force is large beside the largest.
    press(contacts: Float32Array): void {
        const n = Math.min(ARROWS, contacts.length / 6);
        const force = new Vector3();
        const at = new Vector3();
        const turn = new Quaternion();
        const matrix = new Matrix4();
        for (let i = 0; i < n; i++)
            this.high = Math.max(this.high, force.fromArray(contacts, 6 * i + 3).length());
        for (let i = 0; i < n; i++) {
            at.fromArray(contacts, 6 * i);
            force.fromArray(contacts, 6 * i + 3);
            const length = (0.2 * this.size * force.length()) / this.high;
            const head = Math.min(0.5 * length, 0.045 * this.size);
            const thick = 0.004 * this.size;
            turn.setFromUnitVectors(Y, force.normalize());
            const from = at.clone().addScaledVector(force, -length);
            this.shafts.setMatrixAt(
                i,
                matrix.compose(from, turn, new Vector3(thick, length - head, thick)),
            );
            const neck = at.clone().addScaledVector(force, -head);
            this.heads.setMatrixAt(
                i,
                matrix.compose(neck, turn, new Vector3(2.6 * thick, head, 2.6 * thick)),
            );
        }
        for (const mesh of [this.shafts, this.heads]) {
            mesh.count = n;
            mesh.instanceMatrix.needsUpdate = true;
        }
    }
}
