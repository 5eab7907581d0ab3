// Writes the picture of the README: node shot.mjs, after npm run build.
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { give, launch, openPage, samples, serve } from "./test/site.mjs";

const target = join(dirname(fileURLToPath(import.meta.url)), "../../docs/page.png");
const server = await serve(), browser = await launch();
const context = await browser.newContext({ viewport: { width: 1280, height: 660 }, colorScheme: "light", serviceWorkers: "block" });
const { page } = await openPage(context, server.address);
await page.waitForSelector(".card b");
await give(page, join(samples, "nihstro/n06_entry_not_first.shbin"));
await page.waitForSelector(".byterow");
await page.waitForFunction(() => document.querySelector(".findingrow .id"));
await page.keyboard.press("n");
await page.keyboard.press("n");
await page.waitForFunction(() => document.querySelector(".detail h3")?.textContent.startsWith("DVLE007"));
await page.waitForFunction(() => document.querySelector(".treerow.sel")?.textContent.startsWith("entry"));
await page.mouse.move(5, 655);
await page.screenshot({ path: target });
await browser.close();
await server.close();
console.log(`${target}: ${statSync(target).size} bytes`);
