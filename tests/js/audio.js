// A browser's audio that is silent: what would be heard, noted.

/** What all nodes do, which nobody hears. */
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

/** Put it in the place of the browser's, for this process.
 * @returns {any} `pitches()`: of the tones so far; `volumes()`: of what they went through */
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

/** What is played has been loaded by then, however long that takes. */
export async function played() {
  await import("../../static/js/table/tunes.js");
  await new Promise((done) => setImmediate(done));
}
