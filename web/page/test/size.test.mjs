// What the page weighs, and what its sources must not contain.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { site } from "./site.mjs";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src");

test("script and style have at most 250 KB together with gzip, the engine 3.3 MB", () => {
  let script = 0;
  for (const name of readdirSync(site)) {
    if (/\.(js|css)$/.test(name)) script += gzipSync(readFileSync(join(site, name)), { level: 9 }).length;
  }
  const engine = readFileSync(join(site, "picaproof.wasm.gz")).length;
  console.log(`# script and style ${script}, engine ${engine} bytes`);
  assert.ok(script > 10_000 && script <= 250_000, `${script} bytes`);
  assert.ok(engine > 1_000_000 && engine <= 3_300_000, `${engine} bytes`);
});

test("the policy is strict", () => {
  const html = readFileSync(join(site, "index.html"), "utf8");
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
  assert.equal(policy, "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
    "style-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'");
  assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon[a-z]+=|https?:/);
});

test("no source makes elements from text or talks to another place", () => {
  for (const name of readdirSync(source)) {
    if (!/\.(ts|css)$/.test(name)) continue;
    const text = readFileSync(join(source, name), "utf8").replaceAll("http://www.w3.org/2000/svg", "");
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function/, name);
    assert.doesNotMatch(text, /https?:\/\/|XMLHttpRequest|sendBeacon|WebSocket|EventSource/, name);
  }
});
