// The sounds of the table. They are synthesized, so no files have to be loaded.

/** @typedef {(audio: BaseAudioContext, out: AudioNode, at: number, weight?: number) => void} Tune
 *   `weight`: number of penalty cards */

/** @param {BaseAudioContext} audio @param {AudioNode} out @param {number} at
 * @param {{pitch: number, to?: number, for?: number, loud?: number, type?: OscillatorType}} note */
function tone(audio, out, at, { pitch, to = pitch, for: seconds = 0.16, loud = 0.3, type = "triangle" }) {
  const source = new OscillatorNode(audio, { type, frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  source.frequency.setValueAtTime(pitch, at);
  source.frequency.exponentialRampToValueAtTime(to, at + seconds);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  source.connect(gain).connect(out);
  source.start(at);
  source.stop(at + seconds + 0.02);
}

/** Play a sound like rustling paper, which is noise through a band-pass filter.
 * @param {BaseAudioContext} audio @param {AudioNode} out @param {number} at @param {number} pitch @param {number} seconds @param {number} loud */
function rustle(audio, out, at, pitch, seconds, loud) {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 0.9 });
  source.connect(band).connect(new GainNode(audio, { gain: loud })).connect(out);
  source.start(at);
}

/** @param {[number, number][]} notes pitch and time @param {object} how @returns {Tune} */
const melody = (notes, how = {}) => (audio, out, at) => notes.forEach(([pitch, after]) => tone(audio, out, at + after, { pitch, ...how }));

// From this many penalty cards on, the sound is at its maximum.
const HEAVIEST = 16;

/** Play a thud and three falling notes, which are deeper, longer and louder with more penalty
 * cards. @type {Tune} */
function penalty(audio, out, at, cards = 2) {
  const weight = Math.min(cards, HEAVIEST) / HEAVIEST;
  const low = 220 * 2 ** -weight;
  const seconds = 0.16 + 0.14 * weight;
  tone(audio, out, at, { pitch: 150 - 50 * weight, to: 40, for: 0.2 + 0.35 * weight, loud: 0.16 + 0.14 * weight, type: "sine" });
  rustle(audio, out, at, 700, 0.12 + 0.2 * weight, 0.3 + 0.4 * weight);
  [1, 0.89, 0.75].forEach((step, i) => {
    tone(audio, out, at + i * seconds * 0.7, { pitch: low * step, for: seconds, loud: 0.24 + 0.14 * weight, type: "sawtooth" });
  });
}

// More important events are louder. tests/browser/senses/test_loudness.py measures this and checks for clipping.
/** @type {Record<string, Tune>} */
const FULL = {
  deal: (audio, out, at) => [0, 0.08, 0.16, 0.24].forEach((after) => rustle(audio, out, at + after, 2600, 0.07, 0.5)),
  card(audio, out, at) {
    rustle(audio, out, at, 1700, 0.09, 0.4);
    tone(audio, out, at, { pitch: 150, to: 70, for: 0.1, loud: 0.28, type: "sine" });
  },
  last(audio, out, at) {
    rustle(audio, out, at, 900, 0.16, 0.6);
    tone(audio, out, at, { pitch: 110, to: 42, for: 0.32, loud: 0.45, type: "sine" });
    tone(audio, out, at + 0.02, { pitch: 220, to: 165, for: 0.5, loud: 0.3 });
    tone(audio, out, at + 0.02, { pitch: 440, to: 330, for: 0.5, loud: 0.16 });
  },
  draw: (audio, out, at) => rustle(audio, out, at, 3400, 0.13, 0.28),
  turn: melody([[660, 0], [880, 0.12]]),
  reverse(audio, out, at) {
    tone(audio, out, at, { pitch: 320, to: 720, for: 0.16, loud: 0.28 });
    tone(audio, out, at + 0.16, { pitch: 720, to: 320, for: 0.18, loud: 0.28 });
  },
  skip: (audio, out, at) => tone(audio, out, at, { pitch: 520, to: 180, for: 0.26, type: "square", loud: 0.13 }),
  plus: penalty,
  swap(audio, out, at) {
    [0, 0.1, 0.2, 0.3].forEach((after) => rustle(audio, out, at + after, 1500, 0.16, 0.6));
    tone(audio, out, at, { pitch: 240, to: 620, for: 0.4, loud: 0.16 });
    tone(audio, out, at + 0.1, { pitch: 620, to: 240, for: 0.4, loud: 0.16 });
  },
  one: (audio, out, at) => [0, 0.16, 0.7, 0.86].forEach((after, i) => tone(audio, out, at + after, { pitch: i % 2 ? 120 : 150, to: 75, for: 0.2, loud: 0.34 })),
  uno: melody([[784, 0], [988, 0.1], [1175, 0.2]]),
  caught(audio, out, at) {
    melody([[330, 0], [220, 0.14]], { type: "square", loud: 0.24, for: 0.26 })(audio, out, at);
    rustle(audio, out, at, 1000, 0.12, 0.4);
  },
  win: melody([[523, 0], [659, 0.12], [784, 0.24], [1047, 0.38]], { for: 0.32 }),
  hurry: melody([[1250, 0]], { for: 0.05, loud: 0.22, type: "square" }),
};

/** Soft sounds that only signal your turn, a last card and the end. @type {Record<string, Tune>} */
const QUIET = {
  turn: melody([[523, 0], [659, 0.18]], { type: "sine", loud: 0.16, for: 0.42 }),
  one: melody([[784, 0]], { type: "sine", loud: 0.13, for: 0.5 }),
  win: melody([[523, 0], [659, 0.2], [784, 0.4]], { type: "sine", loud: 0.16, for: 0.6 }),
};

export const SETS = { quiet: QUIET, full: FULL };
