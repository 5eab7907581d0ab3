// What goes wrong in use: a slow start, a browser that forbids things, cancelled work, and strange links.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { chromiumPath, give, haveChromium, launch, openPage, samples, serve } from "./site.mjs";

describe("trouble", { skip: haveChromium ? false : `no Chromium at ${chromiumPath}` }, () => {
  const flow = join(samples, "nihstro/n03_flow.shbin"), bad = join(samples, "nihstro/n06_entry_not_first.shbin");
  let server, browser, context, page, problems;

  before(async () => {
    server = await serve();
    browser = await launch();
  });

  afterEach(async () => {
    await context?.close();
    assert.deepEqual(problems, []);
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** start opens the page in a fresh profile. prepare gets the context before that. */
  async function start({ prepare, hash = "", ready = ".card b" } = {}) {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block" });
    context.setDefaultTimeout(10_000);
    await prepare?.(context);
    ({ page, problems } = await openPage(context, server.address, hash));
    await page.waitForSelector(ready);
  }

  async function open(path) {
    await give(page, path);
    await page.waitForFunction((n) => document.querySelector(".filetab.on")?.textContent.startsWith(n), path.split("/").pop());
    await page.waitForSelector(".byterow");
  }

  const said = (text) => page.waitForFunction((t) => document.querySelector(".said").textContent.includes(t), text);

  test("cancelling while the engine starts leaves it to start", async () => {
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    await start({ ready: ".busy:visible", prepare: (c) => c.route("**/picaproof.wasm.gz", async (r) => {
      await held;
      await r.continue();
    }) });
    await page.keyboard.press("Escape");
    answer();
    await open(flow);
  });

  test("a browser without storage shows the page", async () => {
    await start({ prepare: (c) => c.addInitScript(() => Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    })) });
    await page.keyboard.press("t");
    await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
    await page.keyboard.press("t");
    await page.waitForFunction(() => document.documentElement.classList.contains("light"));
  });

  test("a view whose loading was cancelled can be opened again", async () => {
    await start();
    await page.evaluate(() => {
      const { client } = window.page, call = client.call.bind(client);
      let armed = true;
      client.call = (method, ...rest) => {
        const r = call(method, ...rest);
        if (method === "tree" && armed) {
          armed = false;
          client.cancel();
        }
        return r;
      };
    });
    await give(page, flow);
    await page.getByRole("alert").getByText("cancelled").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForSelector(".byterow");
    await page.waitForSelector(".treerow");
  });

  test("a folder among the files is named, and the others open", async () => {
    await start();
    await page.evaluate(() => void window.page.openFiles([
      { name: "folder", arrayBuffer: () => Promise.reject(new DOMException("no such file", "NotFoundError")) }, new File([new Uint8Array(9)], "second.bin"),
    ]));
    await page.waitForFunction(() => document.querySelector(".filetab.on")?.textContent.startsWith("second.bin"));
    await page.evaluate(() => void window.page.openFiles([{ name: "folder", arrayBuffer: () => Promise.reject(new Error("no such file")) }]));
    await said("Error: folder: no such file");
  });

  test("without a clipboard the text is shown", async () => {
    await start({ prepare: (c) => c.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined })) });
    await open(flow);
    await page.keyboard.press("c");
    assert.match(await page.getByRole("textbox", { name: "Text" }).inputValue(), /^0x/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("s");
    await page.locator("dialog .primary").click();
    const link = page.getByLabel("Link", { exact: true });
    assert.equal(await link.evaluate((e) => e.selectionEnd - e.selectionStart === e.value.length), true);
  });

  test("running to the cursor and ancestry work after a cancel", async () => {
    await start();
    await open(flow);
    await page.keyboard.press("3");
    await page.waitForFunction(() => window.page.step()?.current.state);
    await page.evaluate(() => {
      window.page.step().listing.go(12);
      window.page.client.cancel();
    });
    await page.keyboard.press("]");
    await page.waitForFunction(() => window.page.step().current.state.state.pc === 12);
    await page.evaluate(() => {
      window.page.client.cancel();
      return window.page.step().fed("o0.x");
    });
    await page.getByText(/o0\.x came from \d+ executed instruction/).waitFor();
    assert.equal(await page.evaluate(() => window.page.step().current.state.state.pc), 12);
  });

  test("a file that is opened later can be compared", async () => {
    await start();
    await open(flow);
    await open(bad);
    await page.keyboard.press("4");
    await page.locator(".compare .strip b").waitFor();
    await open(join(samples, "dvoj/d01_all_tables.vobj"));
    await page.locator(".filetab .clip").nth(1).click();
    const others = page.getByLabel("Other file");
    assert.deepEqual(await others.locator("option").allInnerTexts(), ["n03_flow.shbin", "d01_all_tables.vobj"]);
    assert.equal(await others.evaluate((e) => e.selectedOptions[0].text), "n03_flow.shbin");
    await page.locator(".compare .strip b").getByText("67 differences").waitFor();
  });

  test("finding backwards goes on at the end of the file", async () => {
    await start();
    await give(page, { name: "a.bin", mimeType: "", buffer: Buffer.from([1, 2, 0, 0, 0, 0, 0, 0, 1, 2]) });
    await page.waitForSelector(".byterow");
    await page.keyboard.press("/");
    await page.locator(".findbar select").selectOption("hex");
    const query = page.locator(".findbar input");
    await query.fill("01 02");
    for (const [key, at] of [["Enter", 0], ["Enter", 8], ["Enter", 0], ["Shift+Enter", 8], ["Shift+Enter", 0]]) {
      await query.press(key);
      await page.waitForFunction((o) => window.page.docs[0].selection?.offset === o, at);
    }
  });

  test("a link with a strange state opens its file and says what is wrong", async () => {
    const { deflateRawSync } = await import("node:zlib");
    const link = (state) => {
      const head = Buffer.from(JSON.stringify(state)), size = Buffer.alloc(4);
      size.writeUInt32BE(head.length);
      return "#s=" + deflateRawSync(Buffer.concat([size, head, readFileSync(flow)])).toString("base64url");
    };
    for (const [part, state] of [
      ["selection", { selection: "x" }], ["selection", { selection: { offset: "x", length: {}, path: 5 } }], ["step.inputs", { step: { inputs: { v0: 5 } } }],
      ["step.breakpoints", { step: { breakpoints: 5 } }], ["step.profile", { step: { profile: 5 } }], ["view", { view: "constructor" }],
    ]) {
      await start({ hash: link({ name: "x.shbin", view: "look", ...state }), ready: ".said" });
      await said(`the link is damaged: ${part}`);
      assert.equal(await page.evaluate(() => window.page.docs.length), 0);
      assert.deepEqual(problems, []);
      await context.close();
    }
    await start({ hash: link({ name: "<b>" + "n".repeat(300_000), view: "look" }), ready: ".byterow" });
    assert.equal(await page.evaluate(() => window.page.docs[0].name.length), 255);
    assert.ok(await page.evaluate(() => window.page.client.traffic.largest) < 256 << 10);
  });

  test("the structure keeps the elements that a jump leaves out, and follows fast selections", async () => {
    await start();
    await give(page, { name: "list.bin", mimeType: "", buffer: Buffer.alloc(4096) });
    await page.waitForSelector(".byterow");
    const rows = await page.evaluate(async () => {
      // A list of 3,000 elements with a field each, as the engine would tell it.
      const doc = window.page.docs[0], { ask } = doc;
      const node = (path, name, offset, children) => ({ path, name, offset, length: 1, children, findings: { errors: 0, warnings: 0, infos: 0 } });
      doc.ask = async (method, params) => {
        if (method !== "tree") return ask.call(doc, method, params);
        await new Promise((r) => setTimeout(r, 20));
        const total = !params.path ? 1 : params.path === "list" ? 3000 : 1, from = params.from ?? 0, end = Math.min(total, from + params.limit);
        const nodes = [];
        for (let i = from; i < end; i++) nodes.push(!params.path ? node("list", "list", 0, 3000) : params.path === "list" ? node(`list[${i}]`, `[${i}]`, i, 1) : node(params.path + ".field", "field", Number(/\d+/.exec(params.path)[0]), 0));
        return { nodes, total, next: end < total ? end : -1 };
      };
      const pane = (await window.page.view(doc, "look").bytes) && window.page.view(doc, "look").tree;
      await pane.load();
      const shown = [];
      for (const path of ["list[2500]", "list[1000]", "list[7]", "list[2990]", "list[450]"]) {
        doc.select({ offset: 0, length: 1, path }, undefined);
        await new Promise((r) => setTimeout(r, 300));
        shown.push(pane.items[pane.current]?.part.path);
      }
      // The second selection lies in a record that the first is still opening.
      doc.select({ offset: 0, length: 1, path: "list[9].other" }, undefined);
      doc.select({ offset: 0, length: 1, path: "list[9].field" }, undefined);
      await new Promise((r) => setTimeout(r, 300));
      shown.push(pane.items[pane.current]?.part.path);
      return shown;
    });
    assert.deepEqual(rows, ["list[2500]", "list[1000]", "list[7]", "list[2990]", "list[450]", "list[9].field"]);
  });

  test("the keys < and > go to the first step and to the end", async () => {
    await start();
    await open(flow);
    await page.keyboard.press("3");
    await page.waitForFunction(() => window.page.step()?.current.state);
    await page.keyboard.press(">");
    await page.waitForFunction(() => window.page.step().current.step === window.page.step().current.steps);
    await page.keyboard.press("<");
    await page.waitForFunction(() => window.page.step().current.step === 0);
  });

  test("on a narrow screen the bytes begin at the start, or at what is selected", async () => {
    await start();
    await page.setViewportSize({ width: 390, height: 844 });
    await open(flow);
    await page.waitForFunction(() => document.querySelector('.cell[data-o="7"]') && !document.querySelector('.byterow .cell:nth-child(9)'));
    await page.waitForTimeout(200);
    assert.equal(await page.locator(".bytes .rows").evaluate((e) => e.scrollTop), 0);
    await open(bad);
    await page.evaluate(() => window.page.docs[0].selectByte(0x170));
    await page.keyboard.press("4");
    const shown = page.locator(".bytepair .rows").nth(1);
    await shown.locator('.cell.in[data-o="368"]').waitFor();
    const inside = await shown.evaluate((e) => {
      const a = e.getBoundingClientRect(), b = e.querySelector('.cell[data-o="368"]').getBoundingClientRect();
      return b.top >= a.top && b.bottom <= a.bottom;
    });
    assert.ok(inside);
  });

  test("a saved state that is damaged is refused with words about it", async () => {
    await start();
    await page.evaluate(() => window.page.openFiles([new File(["picaproof link 1\nnot a state"], "a.picaproof")]));
    await said("a.picaproof: the saved state is damaged: ");
  });

  test("copied text says where it was cut off", async () => {
    await start({ prepare: (c) => c.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) } });
    }) });
    await page.evaluate(() => window.page.open("zero.bin", new Uint8Array(40_000)));
    await page.waitForSelector(".byterow");
    await page.evaluate(() => window.page.docs[0].select({ offset: 0, length: 40_000, path: "" }, undefined));
    await page.keyboard.press("c");
    await page.waitForFunction(() => window.copied);
    const rows = (await page.evaluate(() => window.copied)).trimEnd().split("\n");
    assert.equal(rows.length, 2001);
    assert.equal(rows.at(-1), "(cut off after 2,000 rows)");
    await page.evaluate(() => window.page.docs[0].select({ offset: 0, length: 80, path: "" }, undefined));
    await page.evaluate(() => (window.copied = ""));
    await page.keyboard.press("c");
    await page.waitForFunction(() => window.copied);
    assert.equal((await page.evaluate(() => window.copied)).trimEnd().split("\n").length, 10);
  });

  test("on a narrow screen the step is beside its buttons, and long words at the foot wrap", async () => {
    await start();
    await page.setViewportSize({ width: 390, height: 844 });
    await open(flow);
    await page.keyboard.press("3");
    await page.waitForFunction(() => window.page.step()?.current.state);
    assert.match(await page.locator(".stepbar [role=status]:visible").first().textContent(), /^step 0 of /);
    await page.evaluate(() => window.page.say("a long sentence about what is wrong ".repeat(6)));
    const { foot, width } = await page.evaluate(() => ({ foot: document.querySelector(".said").scrollWidth, width: document.querySelector(".said").clientWidth }));
    assert.ok(foot <= width, `${foot} of ${width}`);
  });

  test("an engine that ends is started again", async () => {
    let workers = 0;
    await start({ prepare: (c) => c.route("**/worker.js", async (r) => {
      const response = await r.fetch();
      const ends = `
        const { run } = Go.prototype;
        Go.prototype.run = function (instance) {
          run.call(this, instance);
          return new Promise((resolve) => addEventListener("message", (e) => e.data.method === "rule" && resolve()));
        };`;
      await r.fulfill({ response, body: (await response.text()) + (workers++ === 0 ? ends : "") });
    }) });
    await open(flow);
    assert.equal(await page.evaluate(() => window.page.client.epoch), 1);
    await page.evaluate(() => window.page.client.call("rule", { id: "DVLE007" }).catch(() => undefined));
    await page.waitForFunction(() => window.page.client.epoch === 2);
    const path = await page.evaluate(async () => (await window.page.docs[0].ask("regions", { offset: 0, length: 4 })).regions[0].path);
    assert.equal(path, "dvlb.magic");
  });
});
