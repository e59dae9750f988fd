// Signs this browser's commitments with a key of this device. It is generated once, and no script can read the
// private key. Over plain HTTP, in private windows and in old browsers, there is no key, and commitments are not
// signed.

import { bytesOf, hexOf } from "./deal.js";

/** @import { Signed } from "./deal.js" */
/** @typedef {(text: Uint8Array) => Promise<Signed|null>} Sign null where this device has no key */

const DATABASE = "lastcard";
const STORE = "keys";
const NAME = "device";
const KEYS = /^(?:[0-9a-f]{64}|04[0-9a-f]{128})$/;
const SIGNATURES = /^[0-9a-f]{128}$/;
// Ed25519: the field, the order of the group, and the y coordinates of all points of small order.
const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;
const SMALL_ORDER = [0n, 1n, P - 1n, ORDER_8, P - ORDER_8];
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
// The order of P-256.
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
// After this time, a commitment is sent without a signature.
const PATIENCE_MS = 1500;
const ED25519_DIGITS = 64;
const ED25519 = { name: "Ed25519" };
const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** @returns {Sign} */
export function makeSigner() {
  const pair = Promise.resolve().then(devicePair).catch(() => null);
  const late = () => new Promise((/** @type {(none: null) => void} */ done) => setTimeout(done, PATIENCE_MS, null));
  return (text) => Promise.race([pair.then((held) => held && signed(held, text)).catch(() => null), late()]);
}

/** Return the algorithm of a key, which depends on the key's length. @param {string} key */
const algorithmOf = (key) => (key.length === ED25519_DIGITS ? ED25519 : P256);

/** @param {CryptoKeyPair} pair @param {Uint8Array} text @returns {Promise<Signed>} */
async function signed({ publicKey, privateKey }, text) {
  const key = hexOf(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)));
  const made = await crypto.subtle.sign(algorithmOf(key), privateKey, /** @type {BufferSource} */ (text));
  return { key, signature: hexOf(new Uint8Array(made)) };
}

/** Return whether this device has a key to sign with. */
export async function hasKey() {
  try {
    const database = await toPromise(openDatabase());
    return Boolean(await toPromise(database.transaction(STORE).objectStore(STORE).get(NAME)));
  } catch {
    return false;
  }
}

/** Return whether the owner of the key has signed this text, or null if this browser cannot check.
 * @param {Signed} signed @param {Uint8Array} text */
export async function isSigned({ key, signature }, text) {
  if (!isWellFormed({ key, signature })) return false;
  if (!globalThis.crypto?.subtle) return null;
  const algorithm = algorithmOf(key);
  try {
    const held = await crypto.subtle.importKey("raw", bytesOf(key), algorithm, false, ["verify"]);
    return await crypto.subtle.verify(algorithm, held, bytesOf(signature), /** @type {BufferSource} */ (text));
  } catch (error) {
    return /** @type {Error} */ (error).name === "NotSupportedError" ? null : false;
  }
}

/** Make checks on which browsers differ; see docs/fair-deal.md about signatures.
 * @param {Signed} signed */
export function isWellFormed({ key, signature }) {
  if (!KEYS.test(key) || !SIGNATURES.test(signature)) return false;
  const [first, second] = [signature.slice(0, 64), signature.slice(64)];
  if (key.length !== ED25519_DIGITS) return [first, second].every((half) => isWithin(BigInt(`0x${half}`), N));
  return isLargePoint(key) && isLargePoint(first) && fromLittleEndian(second) < L;
}

/** @param {bigint} number @param {bigint} end */
const isWithin = (number, end) => number > 0n && number < end;

/** @param {string} hex little-endian */
const fromLittleEndian = (hex) => BigInt(`0x${hex.match(/../g)?.reverse().join("")}`);

/** Return whether this is a valid point of Ed25519 in the standard encoding, and not of small order.
 * @param {string} hex */
function isLargePoint(hex) {
  const y = fromLittleEndian(hex) & (2n ** 255n - 1n);
  return y < P && !SMALL_ORDER.includes(y) && isOnCurve(y);
}

/** Whether x² = (y² - 1) / (d y² + 1) has a root. WebKitGTK crashes on a key without one. @param {bigint} y */
function isOnCurve(y) {
  let [square, root] = [((y * y - 1n) * (D * y * y + 1n)) % P, 1n];
  for (let bits = (P - 1n) / 2n; bits; bits >>= 1n) {
    if (bits & 1n) root = (root * square) % P;
    square = (square * square) % P;
  }
  return root === 1n;
}

/** Return the stored key pair, or store a new one. @returns {Promise<CryptoKeyPair>} */
async function devicePair() {
  const database = await toPromise(openDatabase());
  const kept = await toPromise(database.transaction(STORE).objectStore(STORE).get(NAME));
  if (kept) return kept;
  const made = await newPair();
  // Another window may have stored a key in the meantime.
  const store = database.transaction(STORE, "readwrite").objectStore(STORE);
  const other = await toPromise(store.get(NAME));
  if (!other) await toPromise(store.put(made, NAME));
  return other ?? made;
}

/** @returns {Promise<CryptoKeyPair>} */
async function newPair() {
  const made = () => crypto.subtle.generateKey(ED25519, false, ["sign", "verify"]);
  const pair = await made().catch(() => crypto.subtle.generateKey(P256, false, ["sign", "verify"]));
  return /** @type {CryptoKeyPair} */ (pair);
}

function openDatabase() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return request;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function toPromise(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
