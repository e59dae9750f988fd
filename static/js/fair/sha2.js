// SHA-256 and SHA-512 (FIPS 180-4), because crypto.subtle is missing over plain HTTP. Input and output are bytes. A
// 64-bit word is stored as two 32-bit words, the high one first.

const PRIMES = primes(80);
// The first 64 fractional bits of cube roots (for the rounds) and square roots (for the initial state).
const ROUNDS = PRIMES.map((prime) => fraction(prime, 3));
const START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2));
// SHA-256 uses the high halves of these words.
/** @param {number[][]} words */
const high = (words) => Int32Array.from(words, ([word]) => word);
const ROUNDS_256 = high(ROUNDS.slice(0, 64));
const ROUNDS_512 = Int32Array.from(ROUNDS.flat());

/** @param {number} count @returns {number[]} the first primes */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/** Return the first 64 fractional bits of a prime's root, as [high, low].
 * @param {number} prime @param {number} degree */
function fraction(prime, degree) {
  const power = BigInt(prime) << BigInt(64 * degree);
  let root = 0n;
  for (let bit = 1n << 68n; bit; bit >>= 1n) if ((root + bit) ** BigInt(degree) <= power) root += bit;
  return [Number(BigInt.asIntN(32, root >> 32n)), Number(BigInt.asIntN(32, root))];
}

/** @param {Uint8Array} message */
export function sha256(message) {
  const state = high(START);
  const words = new Int32Array(64);
  const data = pad(message, 64);
  for (let at = 0; at < data.byteLength; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = data.getInt32(at + 4 * i);
    spread256(words);
    mix256(state, words);
  }
  return bytesOf(state);
}

/** @param {Uint8Array} message */
export function sha512(message) {
  const state = Int32Array.from(START.flat());
  const words = new Int32Array(160);
  const data = pad(message, 128);
  for (let at = 0; at < data.byteLength; at += 128) {
    for (let i = 0; i < 32; i += 1) words[i] = data.getInt32(at + 4 * i);
    spread512(words);
    mix512(state, words);
  }
  return bytesOf(state);
}

/** Return the padded message: a one bit, zeros, and its length in bits at the end of the last block.
 * @param {Uint8Array} message @param {number} block in bytes */
function pad(message, block) {
  const length = Math.ceil((message.length + 1 + block / 8) / block) * block;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const data = new DataView(bytes.buffer);
  data.setUint32(length - 8, Math.floor(message.length / 2 ** 29));
  data.setUint32(length - 4, message.length << 3);
  return data;
}

/** @param {Int32Array} words */
function bytesOf(words) {
  const data = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, i) => data.setInt32(4 * i, word));
  return new Uint8Array(data.buffer);
}

// SHA-256

/** @param {number} word @param {number} by */
const rotate = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Int32Array} w */
function spread256(w) {
  for (let i = 16; i < 64; i += 1) {
    const early = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const late = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + early + w[i - 7] + late;
  }
}

/** @param {Int32Array} state @param {Int32Array} words */
function mix256(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + sum + ((e & f) ^ (~e & g)) + ROUNDS_256[i] + words[i]) | 0;
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
}

// SHA-512. Low halves are added as floating-point numbers, which are exact, to compute the carry.

const CARRY = 2 ** 32;

/** Return the high half of a rotated word. With the halves exchanged, return the low half.
 * @param {number} hi @param {number} lo @param {number} by */
function rotatedHalf(hi, lo, by) {
  return by < 32 ? (hi >>> by) | (lo << (32 - by)) : (lo >>> (by - 32)) | (hi << (64 - by));
}

/** @param {number} hi @param {number} lo @param {number} x @param {number} y @param {number} z */
function xorRotations(hi, lo, x, y, z) {
  return rotatedHalf(hi, lo, x) ^ rotatedHalf(hi, lo, y) ^ rotatedHalf(hi, lo, z);
}

/** @param {Int32Array} w */
function spread512(w) {
  for (let i = 32; i < 160; i += 2) {
    const [h15, l15, h2, l2] = [w[i - 30], w[i - 29], w[i - 4], w[i - 3]];
    // A shift differs from a rotation only in the high half.
    const early = rotatedHalf(h15, l15, 1) ^ rotatedHalf(h15, l15, 8) ^ (h15 >>> 7);
    const late = rotatedHalf(h2, l2, 19) ^ rotatedHalf(h2, l2, 61) ^ (h2 >>> 6);
    const low = sum(w[i - 31], xorRotations(l15, h15, 1, 8, 7), w[i - 13], xorRotations(l2, h2, 19, 61, 6));
    w[i] = w[i - 32] + early + w[i - 14] + late + Math.floor(low / CARRY);
    w[i + 1] = low;
  }
}

/** @param {Int32Array} state @param {Int32Array} words */
function mix512(state, words) {
  const v = state.slice();
  for (let i = 0; i < 160; i += 2) {
    const [aHigh, aLow, , , , , dHigh, dLow, eHigh, eLow] = v;
    const low = sum(v[15], xorRotations(eLow, eHigh, 14, 18, 41), chosen(v, 9), ROUNDS_512[i + 1], words[i + 1]);
    const first = v[14] + xorRotations(eHigh, eLow, 14, 18, 41) + chosen(v, 8) + ROUNDS_512[i] + words[i] + Math.floor(low / CARRY);
    const second = xorRotations(aHigh, aLow, 28, 34, 39) + most(v, 0);
    const lowE = sum(dLow, low);
    const lowA = sum(low, xorRotations(aLow, aHigh, 28, 34, 39), most(v, 1));
    v.copyWithin(2, 0, 14);
    v[8] = dHigh + first + Math.floor(lowE / CARRY);
    v[9] = lowE;
    v[0] = first + second + Math.floor(lowA / CARRY);
    v[1] = lowA;
  }
  for (let i = 0; i < 16; i += 2) {
    const low = sum(state[i + 1], v[i + 1]);
    state[i] += v[i] + Math.floor(low / CARRY);
    state[i + 1] = low;
  }
}

/** @param {...number} halves low ones */
const sum = (...halves) => halves.reduce((total, each) => total + (each >>> 0), 0);

/** Choose bits from f where e is one, otherwise from g. The words e, f and g start at index `at`.
 * @param {Int32Array} v @param {number} at */
const chosen = (v, at) => (v[at] & v[at + 2]) ^ (~v[at] & v[at + 4]);

/** Return the majority of the bits of a, b and c. @param {Int32Array} v @param {number} at */
const most = (v, at) => (v[at] & v[at + 2]) ^ (v[at] & v[at + 4]) ^ (v[at + 2] & v[at + 4]);
