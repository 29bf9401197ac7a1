// Where frames come from: a running program, a recording that a program serves, or this very file.
import { decode, encode, type Frame, type Incoming, Say, type Scene } from "./protocol";

export interface Listener {
    begin(scene: Scene): void;
    message(message: Incoming): void;
    connected(state: boolean): void;
}

export interface Source {
    say(type: number, number?: number, value?: ArrayLike<number>, kind?: number): void;
    seek(frame: number): void;
}

// Reconnects when the program comes back.
export class Wire implements Source {
    private socket: WebSocket | null = null;
    private scene: Scene | null = null;
    private fields = 0;

    constructor(private readonly listener: Listener) {
        this.open();
    }

    private open(): void {
        const socket = new WebSocket(`ws://${location.host}/`, "lithe");
        socket.binaryType = "arraybuffer";
        socket.onmessage = (event) => this.hear(event.data as ArrayBuffer);
        socket.onopen = () => {
            this.listener.connected(true);
            this.say(Say.fields, this.fields);
        };
        socket.onclose = () => {
            this.socket = null;
            this.listener.connected(false);
            setTimeout(() => this.open(), 1000);
        };
        this.socket = socket;
    }

    private hear(data: ArrayBuffer): void {
        const message = decode(data, this.scene);
        if (!message) return;
        if (message.type === "scene") {
            this.scene = message.scene;
            this.listener.begin(message.scene);
        } else {
            this.listener.message(message);
        }
    }

    say(type: number, number = 0, value: ArrayLike<number> = [], kind = 0): void {
        if (type === Say.fields) this.fields = number;
        if (this.socket?.readyState === WebSocket.OPEN)
            this.socket.send(encode(type, number, value, kind));
    }

    seek(frame: number): void {
        this.say(Say.seek, frame);
    }
}

// Messages one after the other, each with its length before it: deflated, in base64.
async function unpack(text: string): Promise<ArrayBuffer[]> {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const all = await new Response(stream).arrayBuffer();
    const view = new DataView(all);
    const messages: ArrayBuffer[] = [];
    for (let at = 0; at < all.byteLength; ) {
        const length = view.getUint32(at, true);
        messages.push(all.slice(at + 4, at + 4 + length));
        at += 4 + length;
    }
    return messages;
}

export class Inside implements Source {
    private frames: Frame[] = [];

    constructor(
        private readonly listener: Listener,
        text: string,
    ) {
        void unpack(text).then((messages) => this.play(messages));
    }

    private play(messages: ArrayBuffer[]): void {
        let scene: Scene | null = null;
        for (const data of messages) {
            const message = decode(data, scene);
            if (message?.type === "scene") {
                scene = message.scene;
                this.listener.begin(scene);
            } else if (message?.type === "frame") {
                this.frames.push(message.frame);
            } else if (message) {
                this.listener.message(message);
            }
        }
        this.listener.connected(true);
        this.seek(0);
    }

    say(): void {}

    seek(frame: number): void {
        const found = this.frames[Math.min(frame, this.frames.length - 1)];
        if (found) this.listener.message({ type: "frame", frame: found });
    }
}
