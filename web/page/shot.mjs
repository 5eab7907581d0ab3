// Writes the picture of the README: node shot.mjs, after npm run build.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync, inflateSync } from "node:zlib";
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
const picture = small(await page.screenshot());
writeFileSync(target, picture);
await browser.close();
await server.close();
console.log(`${target}: ${picture.length} bytes`);

/** small writes a PNG of 8 bits a channel again, with 16 values a channel and the best compression. */
function small(png) {
  const width = png.readUInt32BE(16), height = png.readUInt32BE(20), bpp = png[25] === 6 ? 4 : 3;
  const data = [];
  for (let at = 8; at < png.length;) {
    const n = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + n));
    at += n + 12;
  }
  const raw = inflateSync(Buffer.concat(data)), stride = width * bpp;
  const colours = new Map(), pixels = Buffer.alloc(height * (width + 1)), rows = Buffer.alloc(height * (width * 3 + 1));
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)], row = Buffer.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let i = 0; i < stride; i++) {
      const a = i < bpp ? 0 : row[i - bpp], b = above[i], c = i < bpp ? 0 : above[i - bpp];
      const pa = Math.abs(b - c), pb = Math.abs(a - c), pc = Math.abs(a + b - 2 * c);
      row[i] += [0, a, b, (a + b) >> 1, pa <= pb && pa <= pc ? a : pb <= pc ? b : c][filter];
    }
    for (let x = 0; x < width; x++) {
      const rgb = [0, 1, 2].map((k) => Math.min(255, Math.round(row[x * bpp + k] / 17) * 17));
      rgb.forEach((v, k) => (rows[y * (width * 3 + 1) + 1 + x * 3 + k] = v));
      const key = (rgb[0] << 16) | (rgb[1] << 8) | rgb[2];
      if (!colours.has(key)) colours.set(key, colours.size);
      pixels[y * (width + 1) + 1 + x] = colours.get(key);
    }
    above = row;
  }
  const chunk = (type, body) => {
    const all = Buffer.concat([Buffer.alloc(4), Buffer.from(type, "latin1"), body, Buffer.alloc(4)]);
    all.writeUInt32BE(body.length, 0);
    all.writeUInt32BE(sum(all.subarray(4, -4)), all.length - 4);
    return all;
  };
  const indexed = colours.size <= 256, head = Buffer.from(png.subarray(16, 29));
  head[9] = indexed ? 3 : 2;
  const palette = Buffer.from([...colours.keys()].flatMap((k) => [k >> 16, (k >> 8) & 255, k & 255]));
  return Buffer.concat([png.subarray(0, 8), chunk("IHDR", head), ...(indexed ? [chunk("PLTE", palette)] : []),
    chunk("IDAT", deflateSync(indexed ? pixels : rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

/** sum is the CRC of a chunk. */
function sum(bytes) {
  let crc = ~0;
  for (const b of bytes) {
    crc ^= b;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
