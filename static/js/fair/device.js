// This device's own key: drawn once, kept where no script can read its secret half, and used to sign
// what this browser commits to. Plain http, a private window or an engine of old have none, and play
// on without.

import { bytesOf, hexOf } from "./deal.js";

/** @import { Signed } from "./deal.js" */
/** @typedef {(text: Uint8Array) => Promise<Signed|null>} Sign null where this device has no key */

const DATABASE = "lastcard";
const STORE = "keys";
const NAME = "device";
// Nobody's share waits longer for a signature.
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

/** What a key's kind is called; the length of the key tells. @param {string} key */
const algorithmOf = (key) => (key.length === ED25519_DIGITS ? ED25519 : P256);

/** @param {CryptoKeyPair} pair @param {Uint8Array} text @returns {Promise<Signed>} */
async function signed({ publicKey, privateKey }, text) {
  const key = hexOf(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)));
  const made = await crypto.subtle.sign(algorithmOf(key), privateKey, /** @type {BufferSource} */ (text));
  return { key, signature: hexOf(new Uint8Array(made)) };
}

/** Whether the key's other half has signed this; null where this engine cannot tell.
 * @param {Signed} signed @param {Uint8Array} text */
export async function isSigned({ key, signature }, text) {
  if (!globalThis.crypto?.subtle) return null;
  const algorithm = algorithmOf(key);
  try {
    const held = await crypto.subtle.importKey("raw", bytesOf(key), algorithm, false, ["verify"]);
    return await crypto.subtle.verify(algorithm, held, bytesOf(signature), /** @type {BufferSource} */ (text));
  } catch (error) {
    return /** @type {Error} */ (error).name === "NotSupportedError" ? null : false;
  }
}

/** The one that is kept, or a new one that is. @returns {Promise<CryptoKeyPair>} */
async function devicePair() {
  const database = await asked(openDatabase());
  const kept = await asked(database.transaction(STORE).objectStore(STORE).get(NAME));
  if (kept) return kept;
  const made = await newPair();
  // Another window may have been quicker.
  const store = database.transaction(STORE, "readwrite").objectStore(STORE);
  const other = await asked(store.get(NAME));
  if (!other) await asked(store.put(made, NAME));
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
function asked(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
