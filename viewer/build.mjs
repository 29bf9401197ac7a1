// Bundles the page into one HTML file with nothing outside it: dist/page.html. `node build.mjs --check` fails when
// that file is not what the sources make.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = async (entry) => {
    const result = await build({
        absWorkingDir: here,
        entryPoints: [entry],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2022",
        legalComments: "none",
        outdir: "dist",
    });
    return result.outputFiles[0].text.trim();
};
const licences = ["three", "uplot"].map((name) => {
    const text = readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n\n${text.replaceAll("-->", "--").trim()}`;
});
const script = (await bundle("src/main.ts")).replaceAll("</script", "<\\/script");
const style = await bundle("src/style.css");
const page = readFileSync(join(here, "src", "page.html"), "utf8")
    .replace("/*style*/", () => style)
    .replace("/*script*/", () => script)
    .replace("licences", () => licences.join("\n\n"));
const file = join(here, "dist", "page.html");
if (process.argv.includes("--check")) {
    if (readFileSync(file, "utf8") !== page) {
        console.error("viewer/dist/page.html is not the build of viewer/src; run 'make page'");
        process.exit(1);
    }
} else {
    writeFileSync(file, page);
}
