// Fake browser audio that is silent and records the sounds.

/** Base of all audio nodes. */
class SilentNode {
  constructor(_context, options = {}) {
    const value = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
    Object.assign(this, { options, gain: value(), frequency: value() });
  }

  connect(next) {
    return next;
  }

  disconnect() {}
  start() {}
  stop() {}
}

/** Replace the browser's audio in this process.
 * @returns {any} `pitches()` of the tones played; `volumes()` of the gain nodes that they passed */
export function makeAudio() {
  let tones = [];
  let gains = [];
  const buffer = { getChannelData: () => new Float32Array(1) };
  globalThis.AudioContext = class {
    state = "running";
    sampleRate = 10;
    currentTime = 0;
    destination = {};
    async resume() {}
    createBuffer = () => buffer;
  };
  globalThis.OscillatorNode = class extends SilentNode {
    start() {
      tones.push(this.options.frequency);
    }
  };
  globalThis.GainNode = class extends SilentNode {
    constructor(context, options) {
      super(context, options);
      gains.push(options.gain);
    }
  };
  globalThis.AudioBufferSourceNode = SilentNode;
  globalThis.BiquadFilterNode = SilentNode;
  const clear = () => {
    tones = [];
    gains = [];
  };
  return { pitches: () => tones, volumes: () => gains, clear };
}

/** Wait until the sounds have loaded. */
export async function played() {
  await import("../../static/js/table/tunes.js");
  await new Promise((done) => setImmediate(done));
}
