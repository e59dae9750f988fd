// Small sounds and buzzes, off until asked for; never the only signal.

/** @import { Prefs } from "./prefs.js" */

const TUNES = {
  turn: [[660, 0], [880, 0.12]],
  card: [[320, 0]],
  uno: [[784, 0], [988, 0.1], [1175, 0.2]],
  caught: [[330, 0], [220, 0.14]],
};
const BUZZES = { turn: 80, uno: [40, 40, 40], caught: 160 };

let audio = null;

/** Browsers let a page sound only after a touch of it: call this from one.
 * @param {Prefs} prefs */
export function wakeSound(prefs) {
  if (!prefs.sound || !globalThis.AudioContext) return;
  audio ??= new AudioContext();
  audio.resume();
}

/** @param {string} name @param {Prefs} prefs */
export function signal(name, prefs) {
  if (prefs.vibration && BUZZES[name]) navigator.vibrate?.(BUZZES[name]);
  // Notes for a sleeping context would pile up, and sound all at once when it wakes.
  if (!prefs.sound || !TUNES[name] || audio?.state !== "running") return;
  for (const [pitch, at] of TUNES[name]) note(pitch, audio.currentTime + at, prefs.volume);
}

/** @param {number} pitch @param {number} at @param {number} volume */
function note(pitch, at, volume) {
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(volume * 0.25, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.18);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.2);
}

/** Which signals a new view calls for.
 * @param {Protocol.Event[]} events @param {Protocol.WindowView} was @param {Protocol.WindowView} view */
export function signalsFor(events, was, view) {
  const names = new Set();
  for (const event of events) {
    if (event.event === "played") names.add("card");
    if (event.event === "called" || event.uno) names.add("uno");
    if (event.event === "caught") names.add("caught");
  }
  if (view.you !== null && view.turn === view.you && was.turn !== view.you) names.add("turn");
  return [...names];
}
