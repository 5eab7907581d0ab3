// Builds the site into ../site: the engine as WebAssembly, scripts, style, and the list of files
// that the service worker keeps. `node build.mjs --no-wasm` leaves the engine as it is. The folder ../packed gets
// the other files with gzip, as the program embeds them.
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const site = join(here, "../site");
const packed = join(here, "../packed");
const wasm = join(site, "picaproof.wasm.gz");
const goroot = execFileSync("go", ["env", "GOROOT"], { cwd: here, encoding: "utf8" }).trim();

for (const folder of [site, packed]) mkdirSync(folder, { recursive: true });
for (const name of readdirSync(packed)) rmSync(join(packed, name));
for (const name of readdirSync(site)) if (/\.(js|css|html|svg|map)$/.test(name)) rmSync(join(site, name));

if (!process.argv.includes("--no-wasm") || !existsSync(wasm)) {
  const raw = join(site, "picaproof.wasm");
  const flags = readFileSync(join(here, "../wasm/flags.txt"), "utf8").trim().split("\n");
  execFileSync("go", ["build", ...flags, "-o", raw, "../wasm"], {
    cwd: here, stdio: "inherit", env: { ...process.env, GOOS: "js", GOARCH: "wasm" },
  });
  writeFileSync(wasm, gzipSync(readFileSync(raw), { level: 9 }));
  rmSync(raw);
}

/** "go:wasm_exec" is the glue of the Go distribution that compiled the engine. */
const glue = {
  name: "go",
  setup(b) {
    b.onResolve({ filter: /^go:wasm_exec$/ }, () => ({ path: join(goroot, "lib/wasm/wasm_exec.js") }));
  },
};
const options = {
  absWorkingDir: here, outdir: site, bundle: true, minify: true, format: "esm", target: "es2022",
  legalComments: "none", plugins: [glue], logLevel: "warning",
};
// Each script is one file, so that a standalone page can carry it. Of a blob, browsers take only a classic worker.
await build({ ...options, entryPoints: ["src/main.ts"] });
await build({ ...options, entryPoints: ["src/worker.ts"], format: "iife" });
await build({ ...options, entryPoints: ["src/style.css"] });
for (const name of ["index.html", "icon.svg"]) copyFileSync(join(here, "src", name), join(site, name));

const files = readdirSync(site).filter((name) => !["sw.js", ".gitkeep"].includes(name)).sort();
const digest = createHash("sha256");
for (const name of files) digest.update(name).update(readFileSync(join(site, name)));
await build({
  ...options, entryPoints: ["src/sw.ts"],
  define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(digest.digest("hex").slice(0, 16)) },
});

let script = 0;
for (const name of readdirSync(site).sort()) {
  const data = readFileSync(join(site, name));
  const zipped = name.endsWith(".gz") ? data : gzipSync(data, { level: 9 }), small = zipped.length;
  if (zipped !== data) writeFileSync(join(packed, name + ".gz"), zipped);
  if (/\.(js|css)$/.test(name)) script += small;
  console.log(`${name.padEnd(28)} ${String(data.length).padStart(9)} ${String(small).padStart(9)} gzip`);
}
console.log(`script and style: ${script} bytes with gzip`);
