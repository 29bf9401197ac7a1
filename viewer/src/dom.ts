// Elements in few words.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === "function") node.addEventListener(key, value);
        else if (typeof value === "boolean") node.toggleAttribute(key, value);
        else node.setAttribute(key, String(value));
    }
    node.append(...children);
    return node;
}

const PATHS: Record<string, string> = {
    play: "M7 4.5v15l12-7.5z",
    pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
    step: "M5 5l9 7-9 7zM16 5h3v14h-3z",
    reset: "M12 5a7 7 0 1 1-6.7 9h2.2A5 5 0 1 0 12 7v3.2L7 6.1 12 2z",
    fit: "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3z",
    theme: "M12 3a9 9 0 1 0 0 18V3z",
    record: "M12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
    stop: "M7 7h10v10H7z",
    download: "M11 3h2v9l3.2-3.2 1.4 1.4L12 16l-5.6-5.8 1.4-1.4L11 12zM5 18h14v2H5z",
    panel: "M4 5h16v14H4zm2 2v10h7V7z",
    charts: "M4 4h2v14h14v2H4zm4 9l4-5 3 3 4-6 1.6 1.2-5.4 8L12 11l-2.5 3.2z",
    help: "M11 16h2v2h-2zM12 5a4 4 0 0 1 4 4c0 2.5-3 2.8-3 5h-2c0-3.2 3-3.4 3-5a2 2 0 1 0-4 0H8a4 4 0 0 1 4-4z",
    wheel: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm0 2a7 7 0 0 0-6.9 6H9a3 3 0 0 1 6 0h3.9A7 7 0 0 0 12 5zm-6.9 8A7 7 0 0 0 11 18.9V15a3 3 0 0 1-1.7-2zM13 18.9a7 7 0 0 0 5.9-5.9h-4.2A3 3 0 0 1 13 15z",
};

export function icon(name: string): SVGSVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", PATHS[name]);
    svg.append(path);
    return svg;
}

export function button(name: string, label: string, onClick: () => void): HTMLButtonElement {
    return el(
        "button",
        { type: "button", class: "icon", title: label, "aria-label": label, click: onClick },
        icon(name),
    );
}

export function swapIcon(node: HTMLElement, name: string): void {
    node.replaceChildren(icon(name));
}

// One of a few: a row of buttons of which one is pressed.
export class Choice<T extends string> {
    readonly box: HTMLElement;
    private readonly buttons = new Map<T, HTMLButtonElement>();

    constructor(label: string, names: [T, string][], onChoose: (value: T) => void) {
        this.box = el("div", { class: "choice", role: "radiogroup", "aria-label": label });
        for (const [value, text] of names) {
            const node = el(
                "button",
                {
                    type: "button",
                    role: "radio",
                    "aria-checked": "false",
                    click: () => onChoose(value),
                },
                text,
            );
            this.buttons.set(value, node);
            this.box.append(node);
        }
        this.box.addEventListener("keydown", (event) =>
            this.key(
                event,
                names.map(([v]) => v),
                onChoose,
            ),
        );
    }

    private key(event: KeyboardEvent, all: T[], onChoose: (value: T) => void): void {
        const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!way) return;
        event.preventDefault();
        const now = all.findIndex(
            (v) => this.buttons.get(v)!.getAttribute("aria-checked") === "true",
        );
        const next = all[(now + way + all.length) % all.length];
        onChoose(next);
        this.buttons.get(next)!.focus();
    }

    set(value: T): void {
        for (const [key, node] of this.buttons) {
            const on = String(key === value);
            if (node.getAttribute("aria-checked") !== on) node.setAttribute("aria-checked", on);
        }
    }
}

export function toggle(
    label: string,
    on: boolean,
    onChange: (on: boolean) => void,
): HTMLLabelElement {
    const input = el("input", {
        type: "checkbox",
        role: "switch",
        checked: on,
        change: () => onChange(input.checked),
    });
    return el("label", { class: "toggle" }, input, el("span", {}, label));
}

export function saveFile(name: string, content: Blob | string): void {
    const blob = typeof content === "string" ? new Blob([content], { type: "text/csv" }) : content;
    const url = URL.createObjectURL(blob);
    const link = el("a", { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}
