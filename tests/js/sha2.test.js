import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { hexOf } from "../../static/js/fair/deal.js";
import { sha256, sha512 } from "../../static/js/fair/sha2.js";

const text = (string) => new TextEncoder().encode(string);
const MILLION = new Uint8Array(1_000_000).fill(0x61);
const LONGER = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
const TWO_BLOCKS = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

// NIST, "SHA Test Vectors for Hashing Byte-Oriented Messages" and FIPS 180-2, appendices B and C.
const VECTORS_256 = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [TWO_BLOCKS, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
  [LONGER, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"],
];
const VECTORS_512 = [
  ["", "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"],
  ["abc", "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"],
  [TWO_BLOCKS, "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c33596fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"],
  [LONGER, "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"],
];

test("SHA-256 produces the published digests", () => {
  for (const [message, digest] of VECTORS_256) assert.equal(hexOf(sha256(text(message))), digest);
  assert.equal(hexOf(sha256(MILLION)), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
});

test("SHA-512 produces the published digests", () => {
  for (const [message, digest] of VECTORS_512) assert.equal(hexOf(sha512(text(message))), digest);
  assert.equal(
    hexOf(sha512(MILLION)),
    "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b",
  );
});

test("both match another library for every length around their block size", () => {
  for (let length = 0; length < 270; length += 1) {
    const message = new Uint8Array(length).map((_, i) => i * 7 + length);
    assert.equal(hexOf(sha256(message)), createHash("sha256").update(message).digest("hex"));
    assert.equal(hexOf(sha512(message)), createHash("sha512").update(message).digest("hex"));
  }
});
