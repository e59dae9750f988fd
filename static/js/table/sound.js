// Sounds and vibrations, which are off by default and never the only signal.

/** @import { Prefs } from "./prefs.js" */

/** Vibration patterns: milliseconds on, off, on, … "mine" is your card landing on the pile.
 * @type {Record<string, number|number[]>} */
const BUZZES = { mine: 14, one: [25, 110, 40], last: [30, 30, 90], turn: 80, uno: [40, 40, 40], caught: 160, plus: [60, 40, 60], hurry: 30, win: [80, 60, 160] };

/** @type {AudioContext|null} */
let audio = null;
/** The sound sets, which load once a player turns them on. @type {Promise<typeof import("./tunes.js").SETS>|null} */
let sets = null;
/** The current sample. A new sample replaces it. @type {GainNode|null} */
let sample = null;
let buzzedAt = -1;

/** Prepare the sound output. Call this in response to a touch, because browsers block sound before.
 * @param {Prefs} prefs */
export function wakeSound(prefs) {
  if (prefs.sound === "off" || !globalThis.AudioContext) return;
  audio ??= new AudioContext();
  audio.resume();
  sets ??= import("./tunes.js").then(({ SETS }) => SETS);
  // After a failure, the next touch retries.
  sets.catch(() => {
    sets = null;
  });
}

/** Signals that belong to the landing of a card on the pile. */
const LANDING = ["card", "mine", "last"];

/** Play the signals. The vibration of a landing card is skipped if another one has started since the card left the
 * hand, because it would cut that one short.
 * @param {string[]} names @param {Prefs} prefs @param {number} lands milliseconds until the card that was played lies on the pile */
export function signalAll(names, prefs, lands) {
  // The full set plays the UNO call instead of the reminder to call it.
  const told = names.includes("uno") && prefs.sound === "full" ? names.filter((name) => name !== "one") : names;
  for (const name of told) {
    if (lands && LANDING.includes(name)) setTimeout(landed, lands, name, prefs, performance.now());
    else signal(name, prefs);
  }
}

/** @param {string} name @param {Prefs} prefs @param {number} since when the card left the hand,
 * from `performance.now()` */
function landed(name, prefs, since) {
  signal(name, { ...prefs, vibration: prefs.vibration && buzzedAt < since });
}

/** @param {string} name the signal's name, with a number of cards after a space if it has a weight
 * @param {Prefs} prefs */
export async function signal(name, prefs) {
  const pattern = BUZZES[name.split(" ")[0]];
  if (prefs.vibration && pattern) buzz(pattern);
  // A suspended context would queue the notes and play them all at once when it resumes.
  if (prefs.sound === "off" || audio?.state !== "running") return;
  const out = at(audio, prefs.volume);
  const [tune, weight] = name.split(" ");
  (await sets)?.[prefs.sound][tune]?.(audio, out, audio.currentTime, weight ? Number(weight) : undefined);
}

/** @param {AudioContext} context @param {number} volume */
function at(context, volume) {
  const out = new GainNode(context, { gain: volume });
  out.connect(context.destination);
  return out;
}

/** Samples that introduce a set: names and start times in seconds.
 * @type {Record<"quiet"|"full", [string, number][]>} */
const SAMPLES = { quiet: [["turn", 0], ["one", 0.7]], full: [["card", 0], ["draw", 0.35], ["turn", 0.7], ["uno", 1.3]] };

/** Play a sample of the chosen set after a touch, or only stop the previous one if the set is "off".
 * @param {Prefs} prefs */
export async function playSample(prefs) {
  wakeSound(prefs);
  sample?.disconnect();
  sample = null;
  const { sound, volume } = prefs;
  if (sound === "off" || !audio) return;
  const out = (sample = at(audio, volume));
  const [tunes] = await Promise.all([sets, audio.resume()]);
  if (sample !== out) return;
  for (const [name, after] of SAMPLES[sound]) tunes?.[sound][name]?.(audio, out, audio.currentTime + after);
}

/** @param {number|number[]} pattern */
function buzz(pattern) {
  buzzedAt = performance.now();
  navigator.vibrate?.(pattern);
}

/** Sounds of special cards, by the events that they cause.
 * @type {Partial<Record<Protocol.Event["event"], string>>} */
const EFFECTS = { reversed: "reverse", skipped: "skip", swapped: "swap", reshuffled: "deal", dealt: "deal" };

/** Return the signals that a new view causes.
 * @param {Protocol.Event[]} events @param {Protocol.WindowView} was @param {Protocol.WindowView} view */
export function signalsFor(events, was, view) {
  /** @type {Set<string>} */
  const names = new Set();
  const ends = events.some((event) => event.event === "over" && event.winner !== null);
  for (const event of events) {
    if (event.event === "played") names.add(ends ? "last" : "card");
    if (event.event === "played" && event.seat === view.you && !ends) names.add("mine");
    if (event.event === "called" || event.uno) names.add("uno");
    if (event.event === "caught") names.add("caught");
    if (event.event === "penalty") names.add(`plus ${event.cards}`);
    const effect = EFFECTS[event.event];
    if (effect) names.add(effect);
    if (event.event === "drew" && event.cards) names.add(event.seat === view.you && event.why !== "turn" ? `plus ${event.cards}` : "draw");
    if (event.event === "over" && event.winner === view.you) names.add("win");
  }
  if (view.seats?.some((seat, i) => seat.playing && seat.count === 1 && was.seats?.[i]?.count !== 1)) names.add("one");
  if (view.you !== null && view.turn === view.you && was.turn !== view.you) names.add("turn");
  return [...names];
}
