// The page in Chromium: each verb on a file of each format, links, large files, hostile names, accessibility.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromiumPath, give, haveChromium, launch, openPage, samples, serve } from "./site.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const maxMessage = 256 << 10;

/** One file of each format, and what it supports. */
const formats = [
  { file: "nihstro/n03_flow.shbin", format: "shbin", code: true, run: true },
  { file: "dvoj/d01_all_tables.vobj", format: "dvoj", code: true, run: true },
  { file: "csdr/c02_multi_dvle.csdr", format: "csdr", code: true, run: true },
  { file: "zpsh/z02_four_entries_r4.zpsh", format: "zpsh", code: true, run: true },
  { file: "sharcfb/s01_example_le.sharcfb", format: "sharcfb", code: true, unlisted: /LATTE002/ },
  { file: "latte/l06_loop.gsh", format: "gsh", code: true, gx2: true },
  { file: "bnsh/b01_vertex_reflection.bnsh", format: "bnsh" },
];

describe("the page", { skip: haveChromium ? false : `no Chromium at ${chromiumPath}` }, () => {
  let server, browser, context, page, problems, folder, native;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "picaproof-page-"));
    native = join(folder, "picaproof");
    execFileSync("go", ["build", "-tags", "site", "-o", native, "./cmd/picaproof"], { cwd: root });
    server = await serve();
    browser = await launch();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block" });
    context.setDefaultTimeout(20_000);
    ({ page, problems } = await openPage(context, server.address));
    await page.waitForSelector(".card b");
  });

  beforeEach(async () => {
    await page.evaluate(() => document.querySelector("dialog")?.close());
    await closeAll();
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  /** quiet says that the page complained about nothing and no message was too large. */
  async function quiet(p = page, list = problems) {
    assert.deepEqual(list, []);
    const t = await p.evaluate(() => window.page.client.traffic);
    assert.ok(t.calls > 0 && t.largest <= maxMessage, `${t.largestMethod}: a message of ${t.largest} bytes`);
  }

  async function open(file) {
    const name = file.split("/").pop();
    await give(page, file.startsWith("/") ? file : join(samples, file));
    await page.waitForFunction((n) => document.querySelector(".filetab.on")?.textContent.startsWith(n), name);
    await page.waitForSelector(".bytes .byterow");
  }

  async function closeAll() {
    await page.evaluate(() => [...window.page.docs].forEach((d) => window.page.close(d)));
  }

  const run = (...args) => execFileSync(native, args, { cwd: samples, encoding: "utf8", maxBuffer: 1 << 28 });
  const pane = (name) => page.locator(`.pane.${name}`);

  for (const f of formats) {
    test(`${f.format}: look, select, find, go to, copy, rewrite, compare, list, step`, async () => {
      await open(f.file);
      assert.match(await page.locator(".sub .facts").innerText(), /accepted|refused/);

      // The owner of a byte is that of dump --regions, and the structure follows.
      const regions = JSON.parse(run("dump", "--format", "json", "--regions", f.file));
      const owners = Array.isArray(regions) ? regions : regions.regions;
      const shown = await page.evaluate(async () => {
        const doc = window.page.docs.at(-1), all = [];
        for (let at = 0; at >= 0;) {
          const r = await doc.ask("regions", { offset: at });
          all.push(...r.regions);
          at = r.next;
        }
        return all.map(({ offset, length, kind, path }) => ({ offset, length, kind, path }));
      });
      assert.deepEqual(shown, owners.map(({ offset, length, kind, path }) => ({ offset, length, kind, path })));
      const field = owners.find((r) => r.kind === "field" && r.offset > 16 && r.length > 0);
      await page.locator(`.cell[data-o="${field.offset}"]`).first().click();
      await page.waitForFunction((path) => document.querySelector(".owner .path")?.textContent.startsWith(path), field.path);
      await page.waitForFunction(() => document.querySelector(".treerow.sel"));
      assert.equal(await page.evaluate(() => window.page.docs.at(-1).selection.path), field.path);

      // Keys: the next byte, then back from the structure.
      await page.locator(".bytes .rows").focus();
      await page.keyboard.press("ArrowRight");
      await pane("structure").locator(".rows").focus();
      await page.keyboard.press("Home");
      await page.waitForFunction(() => document.querySelector(".treerow.sel")?.dataset.i === "0");

      // Find.
      await page.keyboard.press("/");
      await page.locator(".findbar select").selectOption("hex");
      const four = [...readFileSync(join(samples, f.file)).subarray(field.offset, field.offset + 4)].map((b) => b.toString(16).padStart(2, "0")).join(" ");
      await page.locator(".findbar input").fill(four);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => /^Found at/.test(document.querySelector(".said").textContent));
      const found = await page.evaluate(() => {
        const doc = window.page.docs.at(-1), { offset } = doc.selection;
        return [...doc.bytes.subarray(offset, offset + 4)].map((b) => b.toString(16).padStart(2, "0")).join(" ");
      });
      assert.equal(found, four);
      await page.keyboard.press("Escape");

      // Go to an offset.
      await pane("bytes").locator(".rows").focus();
      await page.keyboard.press("g");
      await page.locator("dialog input").fill("0x10");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => {
        const s = window.page.docs.at(-1).selection;
        return s.offset <= 16 && s.offset + s.length > 16;
      });

      // Copy as text.
      const text = await page.evaluate(async () => {
        let copied = "";
        navigator.clipboard.writeText = async (t) => void (copied = t);
        await window.page.actions.copy(window.page.docs.at(-1));
        return copied;
      });
      const at = owners.find((r) => r.offset <= 16 && r.offset + r.length > 16);
      assert.ok(text.includes(at.path) && text.startsWith(at.offset.toString(16).padStart(6, "0")), text);

      // Canonical form and conversion.
      const supports = await page.evaluate(() => window.page.docs.at(-1).info.supports);
      if (supports.canon) {
        await page.getByRole("button", { name: "Write the canonical form" }).click();
        await page.locator("dialog h3").waitFor();
        await page.keyboard.press("Escape");
      }
      for (const to of supports.convert.slice(0, 1)) {
        await page.getByRole("button", { name: "Convert into another format" }).click();
        await page.locator("dialog select").first().selectOption(to);
        await page.locator("dialog .primary").click();
        await page.locator("dialog .losses").waitFor();
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        await page.locator(".compare .strip b, .compare .strip [role=alert]").waitFor();
        await page.evaluate(() => window.page.close(window.page.docs.at(-1)));
      }

      // Compare two files.
      await give(page, { name: "copy." + f.format, mimeType: "", buffer: readFileSync(join(samples, f.file)) });
      await page.waitForSelector(".filetab.on");
      await page.waitForFunction(() => document.querySelector(".filetab.on").textContent.startsWith("copy."));
      await page.getByRole("tab", { name: "Compare" }).click();
      await page.getByText("The files are the same.").waitFor();

      assert.equal(supports.listing, f.code === true);
      if (f.code) {
        await page.getByRole("tab", { name: "Code" }).click();
        if (f.unlisted) await page.locator(".explain").getByText(f.unlisted).waitFor();
        else {
          const line = page.locator(".listing .line .mn").nth(1);
          await line.click();
          await page.waitForFunction(() => document.querySelector(".explain pre"));
          assert.ok((await page.locator(".explain").innerText()).length > 40);
          await line.hover();
          await page.locator(".tip:visible").waitFor();
          assert.match(await page.locator(".explain").innerText(), f.gx2 ? /source\s.*R\d[^]*decaf-emu/ : /source 1|destination|word/);
        }
      }
      assert.equal(supports.run, f.run === true);
      if (f.run) {
        await page.getByRole("tab", { name: "Step" }).click();
        await page.waitForFunction(() => /step \d+ of \d+/.test(document.querySelector(".stepbar [role=status]")?.textContent));
        await page.keyboard.press(".");
        await page.waitForFunction(() => document.querySelector(".stepbar [role=status]").textContent.startsWith("step 1 of"));
        await page.keyboard.press(",");
        await page.waitForFunction(() => document.querySelector(".stepbar [role=status]").textContent.startsWith("step 0 of"));
      }
      await closeAll();
      await quiet();
    });
  }

  test("twenty traces equal those of run --trace --format json", async () => {
    let traces = 0;
    for (const dir of ["nihstro", "picasso"]) {
      for (const name of readdirSync(join(samples, dir)).sort()) {
        if (!name.endsWith(".shbin") || traces === 20) continue;
        const file = `${dir}/${name}`;
        let want;
        try {
          want = run("run", file, "--in", "v0=1,2,3,1", "--trace", "--format", "json", "--budget", "2000");
        } catch (e) {
          if (e.status !== 1 || !e.stdout) continue; // a file without a program that runs
          want = e.stdout;
        }
        const lines = want.trim().split("\n").map((l) => JSON.parse(l));
        const got = await page.evaluate(async ([n, bytes]) => {
          const c = window.page.client, data = Uint8Array.from(atob(bytes), (x) => x.charCodeAt(0));
          const info = await c.call("open", { name: n }, data);
          const inputs = [{ register: "v0", value: "1,2,3,1" }];
          const r = await c.call("run", { file: info.file, program: 0, profile: "f24", inputs, limit: 2000 });
          const steps = [];
          for (let from = 0; from >= 0;) {
            const t = await c.call("trace", { run: r.run, from, limit: 100 });
            steps.push(...t.steps);
            from = t.next;
          }
          await c.call("close", { file: info.file });
          return steps.map(({ changed: _, ...s }) => s);
        }, [name, readFileSync(join(samples, file)).toString("base64")]);
        assert.deepEqual(got, lines, file);
        traces++;
      }
    }
    assert.equal(traces, 20);
  });

  test("the totals of the demo are those of the command line", async () => {
    const want = JSON.parse(run("demo", "--format", "json"));
    const got = await page.evaluate(async () => {
      const { parts } = await window.page.client.call("demo", {}), all = {};
      for (const part of parts.filter((p) => !p.startsWith("vectors") || p === "vectors oracle")) all[part] = await window.page.client.call("demo", { part });
      return all;
    });
    for (const f of want.formats) assert.deepEqual(got[f.format]?.total, f);
    const oracle = got["vectors oracle"];
    assert.deepEqual([oracle.total, oracle.wrong], [want.vectors.find((v) => v.engine === "oracle"), 0]);
    await quiet();
  });

  test("the golden hashes of the oracle are the same", async () => {
    const file = join(folder, "oracle.wasm");
    execFileSync("go", ["test", "-c", "-o", file, "./oracle"], { cwd: root, env: { ...process.env, GOOS: "js", GOARCH: "wasm", GOFLAGS: "" } });
    const glue = readFileSync(join(execFileSync("go", ["env", "GOROOT"], { cwd: root, encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js"), "utf8");
    const c = await browser.newContext({ serviceWorkers: "block" });
    await c.route("**/oracle.wasm", (route) => route.fulfill({ contentType: "application/wasm", path: file }));
    const opened = await openPage(c, server.address);
    let text = "";
    opened.page.on("console", (m) => (text += m.text() + "\n"));
    await opened.page.evaluate(glue);
    const status = await opened.page.evaluate(async () => {
      const go = new Go();
      let code = -1;
      go.argv = ["oracle.test", "-test.run=GoldenStreams", "-test.short", "-test.v"];
      go.exit = (n) => (code = n);
      const { instance } = await WebAssembly.instantiateStreaming(fetch("oracle.wasm"), go.importObject);
      await go.run(instance);
      return code;
    });
    assert.equal(status, 0, text);
    assert.match(text, /^--- PASS: TestGoldenStreams /m);
    assert.ok(text.match(/--- PASS: TestGoldenStreams\//g).length >= 13, text);
    await c.close();
  });

  test("steps: inputs, knobs, breakpoints, ancestry, two profiles", async () => {
    await open("nihstro/n03_flow.shbin");
    await page.getByRole("tab", { name: "Step" }).click();
    await page.getByLabel(/v0\.x$/).fill("2");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.page.step().state().inputs.v0 === "2,0,0,1");
    await page.evaluate(() => window.page.step().ready);
    await page.keyboard.press("Tab");

    // A breakpoint at word 12, then run to it and back.
    await page.evaluate(() => window.page.step().listing.go(12));
    await page.locator(".listing .rows:visible").focus();
    await page.keyboard.press("b");
    await page.keyboard.press("]");
    await page.waitForFunction(() => window.page.step().current.state?.state.pc === 12);
    assert.equal(await page.locator(".stack:has-text('loop') li").count(), 1);
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "End (>)" }).click();
    await page.waitForFunction(() => window.page.step().current.step === window.page.step().current.steps);
    await page.keyboard.press("[");
    await page.evaluate(() => window.page.step().listing.go(12));
    await page.keyboard.press("[");
    await page.waitForFunction(() => window.page.step().current.state?.state.pc === 12);

    // Fields of a value, and what fed it.
    await page.getByRole("button", { name: "End (>)" }).click();
    await page.getByRole("button", { name: /^o0\.x / }).click();
    await page.locator(".bitrow").waitFor();
    await page.getByRole("button", { name: "What fed o0.x in this run" }).click();
    await page.getByText(/o0\.x came from \d+ executed instruction/).waitFor();
    assert.ok(await page.locator(".line.faded").count() > 0);
    await page.getByRole("button", { name: "Show all instructions again" }).click();
    assert.equal(await page.locator(".line.faded").count(), 0);

    await page.getByLabel("Second profile").selectOption("azahar-x64");
    await page.getByText(/They part at step|do the same in every step/).waitFor();
    await page.locator(".knobs summary").click();
    await page.getByLabel("round", { exact: true }).selectOption({ index: 1 });
    await page.waitForFunction(() => /,round=/.test(window.page.step().state().profile));
    await page.evaluate(() => window.page.step().ready);
    await closeAll();
    await quiet();
  });

  test("the assembly is assembled as it is typed, with errors in place", async () => {
    await open("nihstro/n03_flow.shbin");
    await page.getByRole("tab", { name: "Code" }).click();
    await page.waitForSelector(".listing .line");
    await page.keyboard.press("e");
    await page.locator(".cm-content").click();
    await page.getByText("assembles", { exact: true }).waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n\tnonsense r0\n");
    await page.locator(".cm-lint-marker-error").waitFor();
    await page.getByText(/1 error/).waitFor();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.getByText("assembles", { exact: true }).waitFor();
    await closeAll();
    await quiet();
  });

  test("a link opens the same state in a fresh profile", async () => {
    await open("nihstro/n03_flow.shbin");
    await page.evaluate(async () => {
      const doc = window.page.docs[0];
      await window.page.restore(doc, { profile: "hw", versus: "f24", inputs: { v0: "1,2,3,1" }, uniforms: { c1: "5,5,5,5" }, step: 9, breakpoints: [3] });
      window.page.show(doc, "step");
      await doc.selectByte(0x70);
      await window.page.step().go(9);
    });
    await page.keyboard.press("s");
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    await page.keyboard.press("Escape");
    const fresh = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block" });
    const other = await openPage(fresh, link);
    await other.page.waitForFunction(() => window.page.step?.()?.current.step === 9 && window.page.docs[0].selection && document.querySelector(".registers"));
    const state = (p) => p.evaluate(() => ({
      ...window.page.step().state(), selection: window.page.docs[0].selection, bytes: [...window.page.docs[0].bytes], text: document.querySelector(".registers").innerText,
    }));
    const opened = await state(other.page);
    assert.deepEqual(opened, await state(page));
    assert.deepEqual([opened.profile, opened.versus, opened.step, opened.inputs, opened.uniforms, opened.breakpoints],
      ["hw", "f24", 9, { v0: "1,2,3,1" }, { c1: "5,5,5,5" }, [3]]);
    assert.equal(new URL(other.page.url()).hash, "");
    assert.deepEqual(other.problems, []);
    await fresh.close();
    await closeAll();

    // The link of a report holds a job: a program with its inputs and profile.
    const { deflateRawSync } = await import("node:zlib");
    const job = await page.evaluate(async (bytes) => {
      const doc = await window.page.open("n03.shbin", Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)));
      return (await doc.ask("link", { program: 0, profile: "hw", inputs: [{ register: "v0", value: "1,2,3,1" }] })).job;
    }, readFileSync(join(samples, "nihstro/n03_flow.shbin")).toString("base64"));
    const jobLink = await openPage(context, server.address, "#j=" + deflateRawSync(JSON.stringify(job)).toString("base64url"));
    await jobLink.page.getByText("job.json").first().waitFor();
    await jobLink.page.waitForFunction(() => window.page.step()?.current.state);
    const run1 = await jobLink.page.evaluate(() => ({ profile: window.page.step().state().profile, v0: window.page.step().current.state.inputs.v0.value }));
    assert.deepEqual(run1, { profile: "hw", v0: [1, 2, 3, 1] });
    const form = await jobLink.page.locator(".given [aria-label^='v0.']").evaluateAll((inputs) => inputs.map((i) => i.value));
    assert.deepEqual(form, ["1", "2", "3", "1"]);
    assert.deepEqual(jobLink.problems, []);
    await jobLink.page.close();

    // A damaged link says so.
    const damaged = await openPage(context, server.address, "#s=AAAA");
    await damaged.page.getByText(/the link is damaged/).waitFor();
    await damaged.page.close();
  });

  test("dump, run and diff write the page with what they show as one file without a network", async () => {
    const flow = join(samples, "nihstro/n03_flow.shbin"), bad = join(samples, "nihstro/n06_entry_not_first.shbin");
    const file = join(folder, "alone.html");
    const shown = async (status, ...args) => {
      const r = spawnSync(native, [...args, "--format", "html", "-o", file]);
      assert.equal(r.status, status, String(r.stderr));
      const c = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await c.route(/^(?!file:|blob:|data:)/, (route) => assert.fail(route.request().url()));
      const opened = await openPage(c, "file://" + file);
      await opened.page.waitForFunction(() => window.page.docs.length > 0);
      return { ...opened, end: async () => {
        assert.deepEqual(opened.problems, []);
        await c.close();
      } };
    };
    const dump = await shown(1, "dump", bad);
    await dump.page.getByText("entry is past the code").first().waitFor();
    assert.equal(await dump.page.locator(".verdict").innerText(), "refused");
    assert.equal(await dump.page.locator(".filetab").innerText(), "n06_entry_not_first.shbin\n✕");
    // A link to a file of somebody's own opens nowhere else.
    await dump.page.getByRole("button", { name: "Share" }).click();
    await dump.page.getByText("Send a file instead").waitFor();
    assert.equal(await dump.page.locator("dialog textarea, [role=dialog] textarea").count(), 0);
    await dump.page.keyboard.press("Escape");
    // A cancelled engine starts again without the network.
    assert.equal(await dump.page.evaluate(async () => {
      window.page.client.cancel();
      return (await window.page.docs[0].ask("regions", { offset: 0, length: 4 })).regions[0].path;
    }), "dvlb.magic");
    await dump.end();

    const step = await shown(0, "run", flow, "--in", "v0=1,2,3", "--set", "c1=5", "--profile", "hw", "--versus", "f24");
    await step.page.waitForFunction(() => window.page.step?.()?.current.state);
    await step.page.getByText("hw and f24 do the same in every step.").waitFor();
    const given = await step.page.evaluate(() => window.page.step().state());
    assert.deepEqual([given.profile, given.versus, given.inputs, given.uniforms], ["hw", "f24", { v0: "1,2,3" }, { c1: "5" }]);
    await step.end();

    const entry = await shown(0, "run", flow, "--entry", "@21", "--in", "v0=1,2,3");
    await entry.page.waitForFunction(() => /step 0 of 2/.test(document.querySelector(".stepbar [role=status]")?.textContent));
    await entry.end();

    const differ = await shown(1, "diff", flow, bad);
    await differ.page.locator(".compare .strip b").waitFor();
    assert.match(await differ.page.locator(".compare .strip").innerText(), /n03_flow\.shbin[^]*67 differences/);
    await differ.end();
  });

  test("a BNSH of 16 MB opens, scrolls, and is cancelled", async () => {
    const file = join(folder, "large.bnsh");
    const large = execFileSync("go", ["run", "./web/page/test/large", join(samples, "bnsh/b01_vertex_reflection.bnsh"), String(16 << 20)], { cwd: root, maxBuffer: 1 << 26 });
    assert.ok(large.length >= 16 << 20);
    writeFileSync(file, large);
    await open(file);
    assert.ok(await page.locator(".byterow").count() < 200);
    await page.locator(".bytes .rows").focus();
    await page.keyboard.press("End");
    await page.waitForFunction((n) => (window.page.docs[0].selection?.offset ?? 0) + (window.page.docs[0].selection?.length ?? 0) === n, large.length);
    await page.waitForFunction((n) => document.querySelector(`.cell[data-o="${n - 1}"]`), large.length);
    await page.evaluate(() => (document.querySelector(".bytes .rows").scrollTop = 1e6));
    await page.waitForFunction(() => Number(document.querySelector(".byterow .cell")?.dataset.o) > 1e6);

    // Cancel: the waiting call fails, and the file answers again in a new worker.
    const cancelled = await page.evaluate(async () => {
      const doc = window.page.docs[0];
      const waiting = window.page.client.call("open", { name: "again.bnsh" }, doc.bytes);
      window.page.client.cancel();
      const error = await waiting.then(() => "", (e) => e.message);
      const { regions } = await doc.ask("regions", { offset: 0, length: 4 });
      return { error, path: regions[0].path, epoch: window.page.client.epoch };
    });
    assert.deepEqual(cancelled, { error: "cancelled", path: "header.signature", epoch: 2 });
    await closeAll();
    await quiet();
  });

  test("markup and control characters in names are shown, never executed", async () => {
    const data = readFileSync(join(samples, "nihstro/n06_entry_not_first.shbin"));
    const put = (from, to) => {
      const at = data.indexOf(from + "\0");
      assert.ok(at > 0 && to.length === from.length);
      data.write(to, at, "latin1");
    };
    put("prologue_helper", "<img/src=x id=q");
    put("prologue_end", "\u001b[31m\u0007<b>hi!");
    const name = "<img src=x onerror=alert(1)>\u202egnp.shbin";
    const path = join(folder, "x.shbin");
    writeFileSync(path, data);
    await page.evaluate(([n, bytes]) => window.page.open(n, Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))), [name, data.toString("base64")]);
    await page.waitForSelector(".byterow");
    let dialogs = 0;
    page.on("dialog", (d) => (dialogs++, d.dismiss()));
    for (const view of ["Code", "Step", "Compare", "Look"]) {
      const tab = page.getByRole("tab", { name: view });
      if (await tab.isVisible()) await tab.click();
      await page.waitForTimeout(100);
      assert.equal(await page.locator("#q, main b:text-is('hi!'), main img").count(), 0);
    }
    await page.evaluate(() => window.page.docs[0].selectByte(0xd4));
    await page.getByText("<img/src=x id=q").first().waitFor();
    assert.match(await page.locator(".filetab.on").innerText(), /<img src=x onerror=alert\(1\)>\\u202egnp/);
    assert.equal(dialogs, 0);
    assert.doesNotMatch(await page.locator("body").innerText(), /[\u0000-\u0008\u001b\u202e]/);
    await closeAll();
    await quiet();
  });

  test("every trigger of every rule opens, and a thousand generated broken files", async () => {
    const rules = [...new Set(readFileSync(join(root, "docs/rules.md"), "utf8").match(/\b[A-Z]{3,8}\d{3}\b/g))];
    assert.ok(rules.length > 300, `${rules.length} rules`);
    const triggers = await page.evaluate(async (ids) => {
      const p = window.page, names = new Set();
      for (const id of ids) {
        const { rules } = await p.client.call("rule", { id }).catch(() => ({ rules: [] }));
        for (const r of rules) if (r.triggering) names.add(r.triggering.vector);
      }
      const list = [...names];
      const look = async (n) => {
        const doc = await p.sample(n);
        if (!doc) throw new Error(n + ": " + document.querySelector(".said").textContent);
        await p.view(doc, "look").bytes;
        p.close(doc);
      };
      for (let i = 0; i < list.length; i += 8) await Promise.all(list.slice(i, i + 8).map(look));
      return names.size;
    }, rules);
    assert.ok(triggers > 250, `${triggers} triggers`);

    const broken = ["shbin", "dvoj", "csdr", "zpsh", "sharcfb", "gsh", "bnsh"].flatMap((as) =>
      run("gen", "file", "--as", as, "--mode", "fault", "--count", "143", "--seed", "37", "--format", "json").trim().split("\n").map((l) => {
        const o = JSON.parse(l);
        return { as, bytes: o.bytes ?? o.data ?? o.base64 };
      }));
    assert.ok(broken.length >= 1000 && broken[0].bytes, `${broken.length}`);
    for (let i = 0; i < broken.length; i += 100) {
      await page.evaluate(async (files) => {
        const p = window.page;
        const look = async ({ as, bytes }) => {
          const doc = await p.open("broken." + as, Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)), as);
          if (!doc) throw new Error(document.querySelector(".said").textContent);
          await p.view(doc, "look").bytes;
          p.close(doc);
        };
        for (let j = 0; j < files.length; j += 8) await Promise.all(files.slice(j, j + 8).map(look));
      }, broken.slice(i, i + 100));
    }
    console.log(`# ${triggers} triggers, ${broken.length} broken files`);
    await quiet();
  });

  test("axe finds no serious problem, at both widths, light and dark", async () => {
    const flow = join(samples, "nihstro/n03_flow.shbin"), bad = join(samples, "nihstro/n06_entry_not_first.shbin");
    for (const [width, height] of [[1440, 900], [390, 844]]) {
      const c = await browser.newContext({ viewport: { width, height }, serviceWorkers: "block" });
      const p = (await openPage(c, server.address)).page;
      await p.waitForSelector(".card b");
      const judge = async (where) => {
        for (const colorScheme of ["light", "dark"]) {
          await p.emulateMedia({ colorScheme });
          const found = await p.evaluate(async (source) => {
            if (!window.axe) (0, eval)(source);
            const r = await window.axe.run(document, { resultTypes: ["violations"] });
            return r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
              .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")}`);
          }, axe).catch(async () => {
            await p.evaluate(axe);
            return p.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations
              .filter((v) => v.impact === "serious" || v.impact === "critical")
              .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")}`));
          });
          assert.deepEqual(found, [], `${where} at ${width}, ${colorScheme}`);
        }
      };
      await judge("start");
      await give(p, bad);
      await p.waitForSelector(".byterow");
      await p.keyboard.press("n");
      await p.waitForFunction(() => document.querySelector(".detail:not([hidden])"));
      for (const i of width < 900 ? [0, 1, 2] : [0]) {
        if (width < 900) await p.locator(".panetabs [role=tab]").nth(i).click();
        await judge("look " + i);
      }
      await give(p, flow);
      await p.waitForFunction(() => document.querySelector(".filetab.on").textContent.startsWith("n03"));
      await p.getByRole("tab", { name: "Code" }).click();
      await p.waitForSelector(".listing .line .mn");
      await judge("code");
      await p.getByRole("tab", { name: "Step" }).click();
      await p.waitForFunction(() => window.page.step()?.current.state);
      for (const i of width < 900 ? [0, 1, 2] : [0]) {
        if (width < 900) await p.locator(".panetabs:visible [role=tab]").nth(i).click();
        await judge("step " + i);
      }
      await p.getByRole("tab", { name: "Compare" }).click();
      await p.waitForSelector(".comparerow");
      await judge("compare");
      await c.close();
    }
  });

  test("after the first load the page works without a network, and asks for its own files only", async () => {
    const c = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const other = await openPage(c, server.address);
    const foreign = [];
    other.page.on("request", (r) => {
      if (!r.url().startsWith(server.address) && !r.url().startsWith("blob:") && !r.url().startsWith("data:")) foreign.push(r.url());
    });
    await other.page.waitForSelector(".card b");
    await other.page.evaluate(() => navigator.serviceWorker.ready);
    await other.page.waitForFunction(() => navigator.serviceWorker.controller);
    await c.setOffline(true);
    await other.page.reload();
    await other.page.waitForSelector(".card b");
    await give(other.page, join(samples, "nihstro/n03_flow.shbin"));
    await other.page.waitForSelector(".byterow");
    assert.deepEqual(foreign, []);
    await c.close();
  });
});
