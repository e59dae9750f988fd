// Calls a player to a match that has begun: by title, sound and buzz and, while the page is hidden, a notice.

import { loadPrefs } from "../table/prefs.js";
import { signal, wakeSound } from "../table/sound.js";
import { makeSummon } from "../table/summon.js";
import { gettext } from "../text.js";

/** Browsers let a page sound only after a touch of it: call this from one. */
export function wake() {
  wakeSound(loadPrefs());
}

/** @param {string} text @param {string} worker address of the script that shows notices
 * @returns {() => void} takes the call back */
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
