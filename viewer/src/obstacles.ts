// What a robot may touch, and the forces with which it does.
import {
    BufferGeometry,
    ConeGeometry,
    CylinderGeometry,
    DoubleSide,
    Float32BufferAttribute,
    Group,
    InstancedMesh,
    Matrix4,
    Mesh,
    MeshStandardMaterial,
    Quaternion,
    Vector3,
} from "three";
import type { Obstacle, Scene } from "./protocol";

const ARROWS = 512;
const Y = new Vector3(0, 1, 0);

function surfaceOf(o: Obstacle): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(o.vertices, 3));
    geometry.setIndex(o.triangles);
    geometry.computeVertexNormals();
    return geometry;
}

export class Obstacles {
    readonly group = new Group();
    readonly meshes: Mesh[] = [];
    private readonly home: Vector3[] = [];
    private readonly shafts: InstancedMesh;
    private readonly heads: InstancedMesh;
    private high = 0; // largest force so far

    constructor(
        scene: Scene,
        private readonly size: number,
    ) {
        for (const o of scene.obstacles) {
            const at = new Vector3(...o.at);
            const material = new MeshStandardMaterial({
                color: 0xa3a9b4,
                roughness: 0.85,
                side: DoubleSide,
                transparent: true,
                opacity: o.hollow ? 0.28 : o.endless ? 0.5 : 0.8,
            });
            const mesh = new Mesh(surfaceOf(o), material);
            mesh.position.copy(at);
            mesh.receiveShadow = true;
            mesh.renderOrder = 5;
            this.home.push(at);
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
        return this.meshes[obstacle].position.clone().sub(this.home[obstacle]);
    }

    // Each stands where the scene has it, turned about its own place and moved; the one that is held
    // is where the hand has it.
    place(ways: Float32Array, held: number): void {
        const axis = new Vector3();
        this.meshes.forEach((mesh, i) => {
            if (i !== held) mesh.position.fromArray(ways, 6 * i).add(this.home[i]);
            const angle = axis.fromArray(ways, 6 * i + 3).length();
            mesh.quaternion.setFromAxisAngle(axis.normalize(), angle);
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
