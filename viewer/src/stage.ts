// The robot in space: what is drawn, from where, and what the pointer does there.
import {
    AlwaysStencilFunc,
    BackSide,
    BufferAttribute,
    BufferGeometry,
    Color,
    CylinderGeometry,
    DecrementWrapStencilOp,
    DirectionalLight,
    DoubleSide,
    FrontSide,
    GridHelper,
    Group,
    HemisphereLight,
    IncrementWrapStencilOp,
    InstancedMesh,
    LineBasicMaterial,
    LineDashedMaterial,
    LineSegments,
    Matrix4,
    Mesh,
    MeshBasicMaterial,
    MeshStandardMaterial,
    NotEqualStencilFunc,
    PerspectiveCamera,
    Plane,
    PlaneGeometry,
    Quaternion,
    Raycaster,
    ReplaceStencilOp,
    ShadowMaterial,
    Scene as Space,
    SphereGeometry,
    TorusGeometry,
    Vector2,
    Vector3,
    WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { MATERIALS, paint } from "./colour";
import { Joints } from "./joints";
import { Obstacles } from "./obstacles";
import type { Frame, Scene } from "./protocol";
import { Shape } from "./shape";
import { niceBelow } from "./units";

export type ColourBy = "material" | "displacement" | "energy" | "mises";

export interface Look {
    colour: ColourBy;
    mesh: boolean;
    cables: boolean;
    joints: boolean;
    cavities: boolean;
    ground: boolean;
    section: "" | "x" | "y" | "z";
    sectionAt: number; // share of the box along the axis
    flip: boolean;
}

export interface Range {
    low: number;
    high: number;
}

const SHADOWS = 15000; // triangles up to which the robot throws a shadow
const RED = 0xd92d20;
const CABLE = 0x3b4252;
const CABLE_DARK = 0xc3c9d4;
const SLACK = 0x9aa3ad;
const TIP = 0x0072b2;
const TARGET = 0xe69f00;
const AXES = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

export class Stage {
    readonly canvas: HTMLCanvasElement;
    onDrag: (marker: number, point: Vector3) => void = () => {};
    onPush: (obstacle: number, moved: Vector3) => void = () => {};
    onPull: (body: number, moved: Vector3 | null) => void = () => {}; // null: it is let go
    onMove: () => void = () => {};
    range: Range = { low: 0, high: 1 };
    look: Look = {
        colour: "material",
        mesh: false,
        cables: true,
        joints: true,
        cavities: true,
        ground: true,
        section: "",
        sectionAt: 0.5,
        flip: false,
    };
    private readonly renderer: WebGLRenderer;
    private readonly space = new Space();
    private readonly camera = new PerspectiveCamera(38, 1, 0.001, 100);
    private readonly controls: OrbitControls;
    private readonly plane = new Plane();
    private readonly sun = new DirectionalLight(0xffffff, 2.4);
    private readonly robot = new Group();
    private scene: Scene | null = null;
    private shape: Shape | null = null;
    private skin: Mesh<BufferGeometry, MeshStandardMaterial> | null = null;
    private wires: LineSegments | null = null;
    private veil: Mesh | null = null; // the skin's depth alone, so that only its front shows
    private hollow: Mesh | null = null;
    private cap: Mesh | null = null;
    private caps: Mesh[] = [];
    private ropes: InstancedMesh | null = null;
    private beads: InstancedMesh | null = null;
    private tips: Mesh[] = [];
    private handles: Group[] = [];
    private gaps: LineSegments[] = [];
    private ghost: Shape | null = null; // of a machine that tells where points of it are
    private ground = new Group();
    private grid: GridHelper | null = null;
    private joints: Joints | null = null;
    private obstacles: Obstacles | null = null;
    private pushed = -1; // the obstacle that is dragged
    private pulled = -1; // the body that is
    private grip = new Vector3(); // where, from its middle
    private frame: Frame | null = null;
    private stopped: boolean[] = [];
    private size = 1;
    private dark = false;
    private dragged = -1;
    private hovered = -1;
    private steered = 0; // the marker that keys move
    private dirty = true;
    private held = { high: 0 };

    constructor(parent: HTMLElement) {
        this.renderer = new WebGLRenderer({
            antialias: true,
            alpha: true,
            stencil: true,
            preserveDrawingBuffer: true,
        });
        this.renderer.localClippingEnabled = true;
        this.renderer.shadowMap.enabled = true;
        this.canvas = this.renderer.domElement;
        this.canvas.tabIndex = 0;
        this.canvas.setAttribute("role", "application");
        this.canvas.setAttribute(
            "aria-label",
            "The robot. Drag to turn it, arrow keys move its target.",
        );
        parent.appendChild(this.canvas);
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.enableDamping = false;
        this.controls.addEventListener("change", () => {
            this.dirty = true;
            this.onMove();
        });
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.radius = 6;
        this.space.add(new HemisphereLight(0xffffff, 0x8d96a3, 1.5), this.sun, this.sun.target);
        this.space.add(this.robot, this.ground);
        this.listen();
        new ResizeObserver(() => this.resize(parent)).observe(parent);
        this.resize(parent);
        this.renderer.setAnimationLoop(() => this.draw());
    }

    private resize(parent: HTMLElement): void {
        const { clientWidth: w, clientHeight: h } = parent;
        if (w === 0 || h === 0) return;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.renderer.setSize(w, h);
        this.camera.aspect = w / h;
        this.camera.updateProjectionMatrix();
        this.dirty = true;
        this.onMove();
    }

    private draw(): void {
        if (!this.dirty) return;
        this.dirty = false;
        this.renderer.render(this.space, this.camera);
    }

    // ## the robot

    show(scene: Scene): void {
        const again = this.scene && this.scene.vertices === scene.vertices;
        this.scene = scene;
        this.shape?.free();
        this.robot.clear();
        this.shape = new Shape(scene);
        this.size = Math.hypot(...scene.upper.map((u, i) => u - scene.lower[i])) || 1;
        this.held.high = 0;
        this.sun.castShadow = scene.triangles < SHADOWS;
        this.buildSkin();
        this.buildRopes(scene);
        this.buildMarkers(scene);
        this.obstacles = new Obstacles(scene, this.size);
        this.robot.add(this.obstacles.group);
        this.joints = new Joints(scene, this.size);
        this.robot.add(this.joints.group);
        if (!again) {
            this.setUp(scene);
            this.fit();
        }
        this.restyle();
        if (this.frame && again) this.update(this.frame);
    }

    private buildSkin(): void {
        const shape = this.shape!;
        const material = new MeshStandardMaterial({
            vertexColors: true,
            roughness: 0.62,
            metalness: 0,
            polygonOffset: true,
            polygonOffsetFactor: 1,
            polygonOffsetUnits: 1,
        });
        this.skin = new Mesh(shape.surface, material);
        this.skin.castShadow = true;
        this.skin.frustumCulled = false;
        this.skin.renderOrder = 2;
        this.veil = new Mesh(shape.surface, new MeshBasicMaterial({ colorWrite: false }));
        this.veil.frustumCulled = false;
        this.veil.renderOrder = 1;
        this.wires = new LineSegments(
            shape.edges,
            new LineBasicMaterial({ color: 0x111827, transparent: true, opacity: 0.38 }),
        );
        this.wires.frustumCulled = false;
        this.hollow = new Mesh(
            shape.cavity,
            new MeshStandardMaterial({
                color: 0x3b9fe0,
                roughness: 0.8,
                flatShading: true,
                side: DoubleSide,
            }),
        );
        this.hollow.frustumCulled = false;
        this.hollow.renderOrder = 0;
        this.robot.add(this.skin, this.veil, this.wires, this.hollow);
        this.buildCap(shape);
    }

    // The cut face of the section: where more back than front faces are behind the plane.
    private buildCap(shape: Shape): void {
        const count = (
            side: typeof BackSide | typeof FrontSide,
            op: typeof IncrementWrapStencilOp | typeof DecrementWrapStencilOp,
        ) => {
            const material = new MeshBasicMaterial({
                side,
                colorWrite: false,
                depthWrite: false,
                depthTest: false,
                stencilWrite: true,
                stencilFunc: AlwaysStencilFunc,
                stencilFail: op,
                stencilZFail: op,
                stencilZPass: op,
                clippingPlanes: [this.plane],
            });
            const mesh = new Mesh(shape.surface, material);
            mesh.renderOrder = 3;
            mesh.frustumCulled = false;
            this.robot.add(mesh);
            return mesh;
        };
        this.caps = [
            count(BackSide, IncrementWrapStencilOp),
            count(FrontSide, DecrementWrapStencilOp),
        ];
        this.cap = new Mesh(
            new PlaneGeometry(1, 1),
            new MeshStandardMaterial({
                color: 0xb8c4cc,
                roughness: 0.9,
                side: DoubleSide,
                stencilWrite: true,
                stencilRef: 0,
                stencilFunc: NotEqualStencilFunc,
                stencilFail: ReplaceStencilOp,
                stencilZFail: ReplaceStencilOp,
                stencilZPass: ReplaceStencilOp,
            }),
        );
        this.cap.renderOrder = 4;
        this.cap.onAfterRender = (renderer) => renderer.clearStencil();
        this.robot.add(this.cap);
    }

    private buildRopes(scene: Scene): void {
        const segments = scene.lines.reduce((sum, line) => sum + Math.max(0, line.points - 1), 0);
        const rod = new CylinderGeometry(1, 1, 1, 10, 1, true);
        const bead = new SphereGeometry(1, 14, 10);
        const material = () => new MeshStandardMaterial({ roughness: 0.5 });
        this.ropes = new InstancedMesh(rod, material(), Math.max(1, segments));
        this.beads = new InstancedMesh(bead, material(), Math.max(1, scene.linePoints));
        for (const mesh of [this.ropes, this.beads]) {
            mesh.frustumCulled = false;
            mesh.castShadow = true;
            this.robot.add(mesh);
        }
        this.ropes.count = segments;
        this.beads.count = scene.linePoints;
    }

    private buildMarkers(scene: Scene): void {
        const radius = 0.011 * this.size;
        this.tips = [];
        this.handles = [];
        this.gaps = [];
        for (let i = 0; i < scene.markers.length; i++) {
            const tip = new Mesh(
                new SphereGeometry(radius * 0.72, 20, 14),
                new MeshStandardMaterial({
                    color: TIP,
                    roughness: 0.35,
                    depthTest: false,
                    transparent: true,
                }),
            );
            tip.renderOrder = 10;
            const handle = new Group();
            const ball = new Mesh(
                new SphereGeometry(radius, 22, 16),
                new MeshStandardMaterial({
                    color: TARGET,
                    roughness: 0.35,
                    depthTest: false,
                    transparent: true,
                    opacity: 0.88,
                }),
            );
            const ring = new Mesh(
                new TorusGeometry(radius * 2, radius * 0.16, 10, 44),
                new MeshBasicMaterial({
                    color: TARGET,
                    depthTest: false,
                    transparent: true,
                    opacity: 0.95,
                }),
            );
            ball.renderOrder = ring.renderOrder = 11;
            handle.add(ball, ring);
            const gap = new LineSegments(
                new BufferGeometry().setAttribute(
                    "position",
                    new BufferAttribute(new Float32Array(6), 3),
                ),
                new LineDashedMaterial({
                    color: RED,
                    dashSize: radius * 0.8,
                    gapSize: radius * 0.5,
                    depthTest: false,
                    transparent: true,
                }),
            );
            gap.renderOrder = 12;
            gap.frustumCulled = false;
            this.tips.push(tip);
            this.handles.push(handle);
            this.gaps.push(gap);
            this.robot.add(tip, handle, gap);
        }
        this.buildGhost(scene);
    }

    // Seen through the robot, in the colour of the points that the machine tells.
    private buildGhost(scene: Scene): void {
        this.ghost?.free();
        this.ghost = scene.ghost ? new Shape(scene) : null;
        if (!this.ghost) return;
        const skin = new Mesh(
            this.ghost.surface,
            new MeshStandardMaterial({
                color: TIP,
                roughness: 0.9,
                depthTest: false,
                depthWrite: false,
                transparent: true,
                opacity: 0.3,
            }),
        );
        skin.renderOrder = 9;
        skin.frustumCulled = false;
        this.robot.add(skin);
    }

    private up(scene: Scene): Vector3 {
        const up = new Vector3(...scene.gravity).negate();
        return up.lengthSq() > 0 ? up.normalize() : new Vector3(0, 0, 1);
    }

    private middle(scene: Scene): Vector3 {
        return new Vector3(...scene.lower).add(new Vector3(...scene.upper)).multiplyScalar(0.5);
    }

    private setUp(scene: Scene): void {
        const up = this.up(scene);
        const middle = this.middle(scene);
        this.camera.up.copy(up);
        const half = this.size / 2;
        const low = Math.min(
            ...[0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
                new Vector3(
                    (k & 1 ? scene.upper : scene.lower)[0],
                    (k & 2 ? scene.upper : scene.lower)[1],
                    (k & 4 ? scene.upper : scene.lower)[2],
                ).dot(up),
            ),
        );
        this.ground.clear();
        const cell = niceBelow(this.size / 8);
        const cells = 2 * Math.ceil((1.6 * this.size) / cell);
        this.grid = new GridHelper(cells * cell, cells);
        const lie = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up);
        const floor = middle.clone().addScaledVector(up, low - middle.dot(up) - 1e-3 * this.size);
        this.grid.quaternion.copy(lie);
        this.grid.position.copy(floor);
        const shade = new Mesh(
            new PlaneGeometry(4 * this.size, 4 * this.size),
            new ShadowMaterial({ opacity: 0.2 }),
        );
        shade.quaternion
            .copy(lie)
            .multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2));
        shade.position.copy(floor);
        shade.receiveShadow = true;
        this.ground.add(this.grid, shade);
        this.placeSun(middle, up, half);
    }

    private placeSun(middle: Vector3, up: Vector3, half: number): void {
        const side = new Vector3(1, 0.4, 0.2).cross(up).normalize();
        this.sun.position
            .copy(middle)
            .addScaledVector(up, 3 * half)
            .addScaledVector(side, 1.6 * half);
        this.sun.target.position.copy(middle);
        const box = this.sun.shadow.camera;
        box.left = box.bottom = -1.8 * half;
        box.right = box.top = 1.8 * half;
        box.near = 0.1 * half;
        box.far = 9 * half;
        box.updateProjectionMatrix();
        this.sun.shadow.bias = -0.0005;
        this.sun.shadow.normalBias = 0.01 * half;
    }

    // ## the camera

    fit(): void {
        if (!this.scene) return;
        const up = this.up(this.scene);
        const middle = this.middle(this.scene);
        const side =
            Math.abs(up.z) > 0.9
                ? new Vector3(0.75, -1, 0)
                : new Vector3(0.35, 0, 1).projectOnPlane(up);
        const away = side.normalize().addScaledVector(up, 0.42).normalize();
        const distance =
            (0.46 * this.size) /
            Math.sin(((this.camera.fov / 2) * Math.PI) / 180) /
            Math.min(1, this.camera.aspect);
        this.camera.position.copy(middle).addScaledVector(away, distance);
        this.camera.near = 0.01 * this.size;
        this.camera.far = 60 * this.size;
        this.camera.updateProjectionMatrix();
        this.controls.target.copy(middle);
        this.controls.minDistance = 0.05 * this.size;
        this.controls.maxDistance = 20 * this.size;
        this.controls.update();
        this.dirty = true;
        this.onMove();
    }

    // Metres that one pixel shows at the middle of the view.
    metresPerPixel(): number {
        const distance = this.camera.position.distanceTo(this.controls.target);
        const height = this.canvas.clientHeight || 1;
        return (2 * distance * Math.tan(((this.camera.fov / 2) * Math.PI) / 180)) / height;
    }

    axesOnScreen(): Record<"x" | "y" | "z", [number, number, number]> {
        const turn = this.camera.quaternion.clone().invert();
        const see = (axis: Vector3): [number, number, number] => {
            const v = axis.clone().applyQuaternion(turn);
            return [v.x, -v.y, v.z];
        };
        return { x: see(AXES.x), y: see(AXES.y), z: see(AXES.z) };
    }

    // ## frames

    update(frame: Frame): void {
        if (!this.scene || !this.shape) return;
        this.frame = frame;
        this.shape.place(frame.x);
        this.colourise(frame);
        this.placeRopes(frame);
        this.placeMarkers(frame);
        this.obstacles?.place(frame.ways, this.pushed);
        this.obstacles?.press(frame.contacts);
        this.joints?.place(frame.joints);
        this.dirty = true;
    }

    private field(frame: Frame): Float32Array | null {
        const { rest, vertices } = this.scene!;
        if (this.look.colour === "energy") return frame.energy;
        if (this.look.colour === "mises") return frame.mises;
        if (this.look.colour !== "displacement") return null;
        const out = new Float32Array(vertices);
        for (let v = 0; v < vertices; v++)
            out[v] = Math.hypot(
                frame.x[3 * v] - rest[3 * v],
                frame.x[3 * v + 1] - rest[3 * v + 1],
                frame.x[3 * v + 2] - rest[3 * v + 2],
            );
        return out;
    }

    // The legend's end follows the largest value up at once, and down slowly, so that colours do not flicker.
    private colourise(frame: Frame): void {
        const shape = this.shape!;
        const value = this.field(frame);
        if (!value) {
            this.paintMaterials(shape);
            return;
        }
        let high = 0;
        for (const v of value) if (v > high) high = v;
        this.held.high = Math.max(high, 0.97 * this.held.high, 1e-12);
        this.range = { low: 0, high: this.held.high };
        for (let i = 0; i < shape.of.length; i++)
            paint(value[shape.of[i]] / this.held.high, shape.colour, 3 * i);
        shape.recolour();
    }

    private paintMaterials(shape: Shape): void {
        const palette = MATERIALS.map((c) => new Color(c));
        for (let i = 0; i < shape.of.length; i++)
            palette[shape.material[i] % palette.length].toArray(shape.colour, 3 * i);
        shape.recolour();
    }

    private lineColour(actuator: number, rod: boolean): Color {
        if (rod) return new Color(MATERIALS[0]);
        if (actuator >= 0 && this.stopped[actuator]) return new Color(RED);
        const row = actuator >= 0 ? this.scene!.actuators[actuator].row : -1;
        const slack = row >= 0 && this.frame !== null && Math.abs(this.frame.effort[row]) < 1e-9;
        return new Color(slack ? SLACK : this.dark ? CABLE_DARK : CABLE);
    }

    private placeRopes(frame: Frame): void {
        const scene = this.scene!;
        const radius = 0.0042 * this.size;
        const a = new Vector3();
        const b = new Vector3();
        const along = new Vector3();
        const turn = new Quaternion();
        const matrix = new Matrix4();
        let point = 0;
        let segment = 0;
        for (const line of scene.lines) {
            const colour = this.lineColour(line.actuator, line.rod);
            for (let i = 0; i < line.points; i++, point++) {
                b.fromArray(frame.lines, 3 * point);
                const bead = 1.75 * radius;
                this.beads!.setMatrixAt(
                    point,
                    matrix.compose(b, turn.identity(), new Vector3(bead, bead, bead)),
                );
                this.beads!.setColorAt(point, colour);
                if (i > 0) {
                    along.subVectors(b, a);
                    const length = along.length();
                    turn.setFromUnitVectors(AXES.y, along.divideScalar(length || 1));
                    matrix.compose(
                        a.add(b).multiplyScalar(0.5),
                        turn,
                        new Vector3(radius, length, radius),
                    );
                    this.ropes!.setMatrixAt(segment, matrix);
                    this.ropes!.setColorAt(segment++, colour);
                }
                a.copy(b);
            }
        }
        for (const mesh of [this.ropes!, this.beads!]) {
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }

    private placeMarkers(frame: Frame): void {
        const scene = this.scene!;
        for (let i = 0; i < scene.markers.length; i++) {
            const tip = new Vector3().fromArray(frame.markers, 3 * i);
            const target = new Vector3().fromArray(frame.targets, 3 * i);
            const aimed = Number.isFinite(target.x);
            this.tips[i].position.copy(tip);
            this.handles[i].visible =
                scene.markers[i].movable && (aimed || (scene.live && !scene.machine));
            if (this.dragged !== i) this.handles[i].position.copy(aimed ? target : tip);
            const ring = this.handles[i].children[1];
            ring.quaternion.copy(this.camera.quaternion);
            const away = tip.distanceTo(this.handles[i].position);
            const gap = this.gaps[i];
            gap.visible = aimed && away > 0.004 * this.size;
            const p = gap.geometry.attributes.position as BufferAttribute;
            p.setXYZ(0, tip.x, tip.y, tip.z);
            p.setXYZ(
                1,
                this.handles[i].position.x,
                this.handles[i].position.y,
                this.handles[i].position.z,
            );
            p.needsUpdate = true;
            gap.computeLineDistances();
        }
        if (frame.ghost) this.ghost?.place(frame.ghost);
    }

    setStopped(stopped: boolean[]): void {
        this.stopped = stopped;
    }

    // ## looks

    setDark(dark: boolean): void {
        this.dark = dark;
        this.restyle();
    }

    restyle(): void {
        if (!this.scene || !this.skin) return;
        const { look, scene } = this;
        this.wires!.visible = look.mesh;
        (this.wires!.material as LineBasicMaterial).color.set(
            this.dark && look.colour === "material" ? 0x0b1220 : 0x111827,
        );
        this.ropes!.visible = this.beads!.visible = look.cables;
        this.joints!.group.visible = look.joints;
        const hollow = look.cavities && scene.cavities.length > 0;
        this.hollow!.visible = hollow;
        const through = hollow && look.section === "";
        this.skin.material.transparent = through;
        this.skin.material.opacity = through ? 0.66 : 1;
        this.skin.material.depthWrite = !through;
        this.veil!.visible = through;
        this.ground.visible = look.ground;
        if (this.grid) {
            const material = this.grid.material;
            material.transparent = true;
            material.opacity = this.dark ? 0.35 : 0.5;
            material.vertexColors = false;
            material.color.set(this.dark ? 0x64748b : 0x94a3b8);
            material.needsUpdate = true;
        }
        this.section();
        if (this.frame) this.update(this.frame);
        this.dirty = true;
    }

    private section(): void {
        const { look, scene } = this;
        const on = look.section !== "" && scene !== null;
        const planes = on ? [this.plane] : [];
        for (const object of [this.skin!, this.wires!, this.hollow!]) {
            (object.material as MeshBasicMaterial).clippingPlanes = planes;
            (object.material as MeshBasicMaterial).side =
                on && object !== this.wires ? DoubleSide : FrontSide;
            (object.material as MeshBasicMaterial).needsUpdate = true;
        }
        (this.hollow!.material as MeshBasicMaterial).side = DoubleSide;
        for (const mesh of this.caps) mesh.visible = on;
        this.cap!.visible = on;
        if (!on || look.section === "") return;
        const axis = "xyz".indexOf(look.section);
        const reach = 0.15 * (scene.upper[axis] - scene.lower[axis]);
        const low = scene.lower[axis] - reach;
        const at = low + look.sectionAt * (scene.upper[axis] + reach - low);
        const normal = AXES[look.section].clone().multiplyScalar(look.flip ? 1 : -1);
        this.plane.set(normal, look.flip ? -at : at);
        const cap = this.cap!;
        cap.scale.setScalar(4 * this.size);
        cap.position.copy(this.middle(scene));
        cap.position.setComponent(axis, at);
        cap.quaternion.setFromUnitVectors(AXES.z, AXES[look.section]);
    }

    // ## the pointer and the keys

    private listen(): void {
        this.canvas.addEventListener("pointerdown", (event) => this.press(event), {
            capture: true,
        });
        this.canvas.addEventListener("pointermove", (event) => this.point(event));
        const end = (event: PointerEvent): void => {
            if (this.dragged < 0 && this.pushed < 0 && this.pulled < 0) return;
            if (this.pulled >= 0) this.onPull(this.pulled, null);
            this.dragged = this.pushed = this.pulled = -1;
            this.controls.enabled = true;
            this.canvas.releasePointerCapture(event.pointerId);
        };
        this.canvas.addEventListener("pointerup", end);
        this.canvas.addEventListener("pointercancel", end);
        this.canvas.addEventListener("keydown", (event) => this.key(event));
    }

    private ray(event: PointerEvent): Raycaster {
        const box = this.canvas.getBoundingClientRect();
        const at = new Vector2(
            ((event.clientX - box.left) / box.width) * 2 - 1,
            1 - ((event.clientY - box.top) / box.height) * 2,
        );
        const caster = new Raycaster();
        caster.setFromCamera(at, this.camera);
        return caster;
    }

    // A finger is wider than a handle.
    private under(event: PointerEvent): number {
        const box = this.canvas.getBoundingClientRect();
        const reach = event.pointerType === "touch" ? 34 : 18;
        let best = -1;
        let nearest = reach;
        this.handles.forEach((handle, i) => {
            if (!handle.visible) return;
            const [x, y] = this.onScreen(handle.position);
            const away = Math.hypot(x - (event.clientX - box.left), y - (event.clientY - box.top));
            if (away < nearest) {
                nearest = away;
                best = i;
            }
        });
        return best;
    }

    private press(event: PointerEvent): void {
        if (event.button !== 0 || !this.scene?.live || this.scene.machine) return;
        const marker = this.under(event);
        if (marker >= 0) this.dragged = this.steered = marker;
        else if (!this.grab(event)) return;
        this.controls.enabled = false;
        this.canvas.setPointerCapture(event.pointerId);
        event.preventDefault();
    }

    private grab(event: PointerEvent): boolean {
        const meshes = (this.obstacles?.meshes ?? []).filter((_m, i) => {
            const o = this.scene!.obstacles[i];
            return o.hollow || !o.endless; // a floor is not dragged
        });
        const hit = this.ray(event).intersectObjects([...meshes, this.skin!], false)[0];
        this.pushed =
            hit && hit.object !== this.skin
                ? this.obstacles!.meshes.indexOf(hit.object as Mesh)
                : -1;
        if (this.pushed >= 0) this.grip.copy(hit.point).sub(hit.object.position);
        if (hit?.object === this.skin && event.shiftKey) {
            this.pulled = this.scene!.triBody[hit.faceIndex!];
            this.grip.copy(hit.point);
        }
        return this.pushed >= 0 || this.pulled >= 0;
    }

    // Along the plane of the picture.
    private slide(event: PointerEvent, from: Vector3): Vector3 | null {
        const facing = this.camera.getWorldDirection(new Vector3());
        const plane = new Plane().setFromNormalAndCoplanarPoint(facing, from);
        return this.ray(event).ray.intersectPlane(plane, new Vector3());
    }

    private point(event: PointerEvent): void {
        if (this.pushed >= 0) {
            const mesh = this.obstacles!.meshes[this.pushed];
            const to = this.slide(event, mesh.position.clone().add(this.grip));
            if (to) mesh.position.copy(to.sub(this.grip));
            this.onPush(this.pushed, this.obstacles!.moved(this.pushed));
            this.dirty = true;
            return;
        }
        if (this.pulled >= 0) {
            const to = this.slide(event, this.grip);
            if (to) this.onPull(this.pulled, to.sub(this.grip));
            return;
        }
        if (this.dragged < 0) {
            const over = this.scene?.live && !this.scene.machine ? this.under(event) : -1;
            if (over !== this.hovered) {
                this.hovered = over;
                this.canvas.style.cursor = over >= 0 ? "grab" : "";
                this.handles.forEach((handle, i) => {
                    handle.scale.setScalar(i === over ? 1.25 : 1);
                });
                this.dirty = true;
            }
            return;
        }
        const hit = this.slide(event, this.handles[this.dragged].position);
        if (hit) this.moveHandle(this.dragged, hit);
    }

    private moveHandle(marker: number, to: Vector3): void {
        this.handles[marker].position.copy(to);
        this.onDrag(marker, to);
        this.dirty = true;
    }

    private key(event: KeyboardEvent): void {
        const steps: Record<string, [number, number, number]> = {
            ArrowLeft: [-1, 0, 0],
            ArrowRight: [1, 0, 0],
            ArrowUp: [0, 1, 0],
            ArrowDown: [0, -1, 0],
            PageUp: [0, 0, -1],
            PageDown: [0, 0, 1],
        };
        const step = steps[event.key];
        if (
            !step ||
            !this.scene?.live ||
            this.scene.machine ||
            !this.handles[this.steered]?.visible
        )
            return;
        event.preventDefault();
        const stride = (event.shiftKey ? 0.002 : 0.012) * this.size;
        const move = new Vector3(...step)
            .applyQuaternion(this.camera.quaternion)
            .multiplyScalar(stride);
        this.moveHandle(this.steered, this.handles[this.steered].position.clone().add(move));
    }

    // ## what tests and labels ask

    onScreen(point: Vector3): [number, number] {
        const p = point.clone().project(this.camera);
        return [
            ((p.x + 1) / 2) * this.canvas.clientWidth,
            ((1 - p.y) / 2) * this.canvas.clientHeight,
        ];
    }

    // How far the drawn ghost is from where the frame has it; infinite: none is drawn.
    ghostOff(frame: Frame): number {
        const at = this.ghost?.surface.attributes.position.array;
        if (!at || !frame.ghost) return Number.POSITIVE_INFINITY;
        const off = Array.from(this.ghost!.of, (v, i) =>
            Math.hypot(...[0, 1, 2].map((k) => at[3 * i + k] - frame.ghost![3 * v + k])),
        );
        return Math.max(...off);
    }

    handleOnScreen(marker: number): [number, number] {
        return this.onScreen(this.handles[marker].position);
    }

    handleAt(marker: number): Vector3 {
        return this.handles[marker].position;
    }

    isDragging(): boolean {
        return this.dragged >= 0;
    }
}
