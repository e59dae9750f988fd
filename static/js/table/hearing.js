// Controls for the sounds of this device: the offer, the choice of a set, samples and the bell.

import { h, setAttribute } from "./dom.js";
import { playSample, wakeSound } from "./sound.js";
import { isPlayer } from "./store.js";
import { makeCalling } from "./summon.js";
import { gettext } from "../text.js";

/** @import { Prefs, SoundSet } from "./prefs.js" */
/** @import { Show } from "./store.js" */
/** @typedef {<K extends keyof Prefs>(name: K, value: Prefs[K]) => void} Change */

/** @type {[SoundSet, string][]} */
const SETS = [["quiet", gettext("Quiet")], ["full", gettext("Full")], ["off", gettext("No sound")]];

/** Create the offer of sounds, shown once on a score sheet. A tap on a set turns it on. The offer
 * stays while the sheet is open, so that players can compare sets. It never appears together with
 * the question about calls.
 * @param {{prefs: () => Prefs, choose: (set: SoundSet) => void}} handlers
 * @returns {{element: HTMLElement, show: Show}} `element` is placed on the sheets */
export function makeOffer({ prefs, choose }) {
  const buttons = SETS.map(([set, title]) => h("button.banner-button", { type: "button", onclick: () => choose(set), "data-set": set }, title));
  const about = gettext("Quiet: your turn, a player’s last card and your win. Full: the same, plus cards, penalties and the clock.");
  const element = h("section.ask.offer", { "aria-label": gettext("Sounds") }, h("p", {}, gettext("Turn on sound? Tap an option to hear it."), h("small", {}, about)), h("p.answers", {}, ...buttons));
  element.hidden = true;
  let open = false;
  /** @type {Show} */
  const show = ({ view }) => {
    const { asked, offered, sound } = prefs();
    const between = isPlayer(view) && Boolean(view.sheet && !view.sheet.over);
    const anew = !offered && sound === "off" && (asked || view.match.practice);
    open = between && (open || anew);
    element.hidden = !open;
    for (const button of buttons) setAttribute(button, "aria-pressed", String(offered && button.dataset.set === sound));
  };
  return { element, show };
}

/** Create the sound switch in the bar of tables without calls, such as practice tables.
 * @param {HTMLElement|null} button @param {{prefs: () => Prefs, choose: (set: SoundSet) => void}} handlers @returns {Show}
 */
function makeSwitch(button, { prefs, choose }) {
  if (!button) return () => {};
  button.addEventListener("click", () => choose(prefs().sound === "off" ? "full" : "off"));
  return () => {
    const { offered, sound } = prefs();
    setAttribute(button, "aria-pressed", String(sound !== "off"));
    setAttribute(button, "data-new", (!offered && sound === "off") || null);
  };
}

/** Create the sound controls of a table. `choose` and `volume` play a sample. After a choice, no
 * more offers are shown.
 * @param {HTMLElement} table @param {HTMLElement|null} bell null if no one is called here
 * @param {{prefs: () => Prefs, change: Change}} device */
export function makeHearing(table, bell, { prefs, change }) {
  const choose = (/** @type {SoundSet} */ set) => {
    change("sound", set);
    change("offered", true);
    playSample(prefs());
  };
  const volume = (/** @type {number} */ value) => {
    change("volume", value);
    playSample(prefs());
  };
  for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, () => wakeSound(prefs()));
  const calling = makeCalling(table, bell, { prefs, change, choose });
  const offer = makeOffer({ prefs, choose });
  const showSwitch = makeSwitch(document.getElementById("sound"), { prefs, choose });
  /** @type {Show} */
  const show = (state, now) => {
    calling.show(state, now);
    offer.show(state, now);
    showSwitch(state, now);
  };
  return { between: [calling.element, offer.element], choose, volume, show };
}
