// Calls a player to a match that has started: by title, sound and vibration, and by a notification if the page is
// hidden.

import { loadPrefs } from "../table/prefs.js";
import { signal, wakeSound } from "../table/sound.js";
import { makeSummon } from "../table/summon.js";
import { gettext } from "../text.js";

/** Enable sound. Call this in response to a tap, because browsers block sound until then. */
export function wake() {
  wakeSound(loadPrefs());
}

/** @param {string} text @param {string} worker address of the script that shows notifications
 * @returns {() => void} function that withdraws the call */
export function callPlayer(text, worker) {
  const prefs = loadPrefs();
  const title = gettext("Your match is on");
  const before = document.title;
  const summon = makeSummon(worker);
  const notify = () => summon(prefs.notices, document.hidden ? { title, body: text } : null);
  document.title = `(1) ${title} – Lastcard`;
  signal("turn", prefs);
  notify();
  document.addEventListener("visibilitychange", notify);
  return () => {
    document.title = before;
    document.removeEventListener("visibilitychange", notify);
    summon(prefs.notices, null);
  };
}
