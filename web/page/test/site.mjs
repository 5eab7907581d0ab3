// Serves the built site on a free port below a path, and opens pages in Chromium.
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const site = join(here, "../../site");
export const samples = join(here, "../../../corpus/samples");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** serve returns the address of the site, the requests it got, and a function that ends it. */
export async function serve(prefix = "/some/path/") {
  const requests = [];
  const server = createServer((req, res) => {
    const path = new URL(req.url, "http://x").pathname;
    requests.push(path);
    const name = path === prefix ? "index.html" : path.slice(prefix.length);
    const file = join(site, normalize("/" + name));
    if (!path.startsWith(prefix) || !existsSync(file)) return res.writeHead(404).end();
    res.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}${prefix}`, requests,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}

/** chromiumPath is Debian's Chromium, or that of PICAPROOF_CHROMIUM. */
export const chromiumPath = process.env.PICAPROOF_CHROMIUM ?? "/usr/bin/chromium";
export const haveChromium = existsSync(chromiumPath);

export function launch() {
  return chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
}

/** openPage opens the site and collects what the page complains about. */
export async function openPage(context, address, hash = "") {
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (e) => problems.push(String(e.stack ?? e)));
  page.on("console", (m) => {
    if (m.type() === "error") problems.push(m.text());
  });
  await page.goto(address + hash);
  return { page, problems };
}

/** give opens files as the button does. */
export async function give(page, ...files) {
  await page.locator("input[type=file]").setInputFiles(files);
}
