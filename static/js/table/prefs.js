// What this player likes, kept on this device.

const KEY = "lastcard-table";
const DEFAULTS = {
  order: "color", sound: false, volume: 0.5, vibration: false, confirm: false, shortcuts: true,
  text: false, taught: false, asked: false, notices: false, reactions: true,
};

/** @typedef {typeof DEFAULTS} Prefs */

/** The stored choices over the defaults; a broken or forbidden store is as good as an empty one.
 * @param {Pick<Storage, "getItem">} [storage] @returns {Prefs} */
export function loadPrefs(storage) {
  try {
    return { ...DEFAULTS, ...JSON.parse((storage ?? globalThis.localStorage).getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @param {Prefs} prefs @param {Pick<Storage, "setItem">} [storage] */
export function savePrefs(prefs, storage) {
  try {
    (storage ?? globalThis.localStorage).setItem(KEY, JSON.stringify(prefs));
  } catch {
    // Private windows may refuse; the choice then holds until the page is closed.
  }
}

/** Who leaves the table is not taken back to it by the site: pages/summons.js reads this.
 * @param {string} path */
export function noteHere(path) {
  try {
    globalThis.sessionStorage?.setItem(`went ${path}`, "");
  } catch {
    // As above; the site then offers the table once more.
  }
}
