// Where bodies are joined, and about which axis; red where a joint is at a stop.
import {
    Color,
    CylinderGeometry,
    Group,
    InstancedMesh,
    Matrix4,
    MeshStandardMaterial,
    Quaternion,
    SphereGeometry,
    Vector3,
} from "three";
import type { Scene } from "./protocol";

const Y = new Vector3(0, 1, 0);
const FREE = new Color(0x475569);
const STOPPED = new Color(0xdc2626);
const WIDTH = 7; // numbers of a joint

export class Joints {
    readonly group = new Group();
    private readonly axles: InstancedMesh;
    private readonly knobs: InstancedMesh;

    constructor(
        scene: Scene,
        private readonly size: number,
    ) {
        const n = scene.joints.length;
        const seen = (): MeshStandardMaterial =>
            new MeshStandardMaterial({ roughness: 0.5, depthTest: false, transparent: true });
        this.axles = new InstancedMesh(new CylinderGeometry(1, 1, 1, 12), seen(), Math.max(1, n));
        this.knobs = new InstancedMesh(new SphereGeometry(1, 14, 10), seen(), Math.max(1, n));
        for (const mesh of [this.axles, this.knobs]) {
            mesh.frustumCulled = false;
            mesh.renderOrder = 8;
            mesh.count = n;
            this.group.add(mesh);
        }
    }

    place(joints: Float32Array): void {
        const at = new Vector3();
        const axis = new Vector3();
        const turn = new Quaternion();
        const matrix = new Matrix4();
        const thick = 0.005 * this.size;
        for (let i = 0; i < joints.length / WIDTH; i++) {
            at.fromArray(joints, WIDTH * i);
            axis.fromArray(joints, WIDTH * i + 3);
            const long = axis.lengthSq() > 0 ? 0.06 * this.size : 0;
            const colour = joints[WIDTH * i + 6] === 0 ? FREE : STOPPED;
            if (long > 0) turn.setFromUnitVectors(Y, axis.normalize());
            this.axles.setMatrixAt(i, matrix.compose(at, turn, new Vector3(thick, long, thick)));
            const knob = 1.5 * thick;
            this.knobs.setMatrixAt(i, matrix.compose(at, turn, new Vector3(knob, knob, knob)));
            this.axles.setColorAt(i, colour);
            this.knobs.setColorAt(i, colour);
        }
        for (const mesh of [this.axles, this.knobs]) {
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }
}
