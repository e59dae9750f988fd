import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { isSigned, isWellFormed } from "../../static/js/fair/device.js";
import "./crypto.js";

const { text, cases } = JSON.parse(readFileSync(new URL("edge_signatures.json", import.meta.url), "utf8"));
const bytes = new TextEncoder().encode(text);

test("keys and signatures at the limits of the standards are judged as by other programs", async () => {
  assert.ok(cases.length > 150);
  for (const { name, key, signature, fits } of cases) assert.equal(await isSigned({ key, signature }, bytes), fits, name);
});

test("a signature is lower-case hex of the right length", async () => {
  const { key, signature } = cases.find(({ fits }) => fits);
  for (const other of [
    { key: key.toUpperCase(), signature }, { key, signature: signature.toUpperCase() }, { key: ` ${key}`, signature }, { key: `${key}\n`, signature },
    { key: 7, signature }, { key, signature: null }, { key: "", signature },
  ]) assert.equal(await isSigned(other, bytes), false);
});

test("malformed signatures are rejected even where none can be verified", async (t) => {
  t.mock.getter(crypto, "subtle", () => undefined);
  for (const { name, key, signature, fits } of cases.filter((each) => each.fits || /small order|S = L|r = 0/.test(each.name)))
    assert.equal(await isSigned({ key, signature }, bytes), fits ? null : false, name);
});

test("a key or signature that is not a point is refused before an engine sees it", () => {
  const [good] = cases;
  assert.equal(isWellFormed(good), true);
  for (const y of ["02", "07"].map((byte) => byte.padEnd(64, "0"))) {
    assert.equal(isWellFormed({ ...good, key: y }), false);
    assert.equal(isWellFormed({ ...good, signature: y + good.signature.slice(64) }), false);
  }
});
