// This player's preferences, stored on this device.

const KEY = "lastcard-table";
/** Sets of sounds. @typedef {"off"|"quiet"|"full"} SoundSet */

const DEFAULTS = {
  order: "color", sound: /** @type {SoundSet} */ ("off"), offered: false, volume: 0.5, vibration: false, confirm: false, shortcuts: true,
  text: false, taught: false, asked: false, notices: false, reactions: true,
};

/** @typedef {typeof DEFAULTS} Prefs */

/** Return the stored preferences with defaults. Broken or forbidden storage counts as empty.
 * @param {Pick<Storage, "getItem">} [storage] @returns {Prefs} */
export function loadPrefs(storage) {
  try {
    const kept = { ...DEFAULTS, ...JSON.parse((storage ?? globalThis.localStorage).getItem(KEY) ?? "{}") };
    return { ...kept, sound: soundSet(kept.sound) };
  } catch {
    return { ...DEFAULTS };
  }
}

/** Convert the older preference, in which sounds were only on or off. On meant all of them.
 * @param {unknown} kept @returns {SoundSet} */
function soundSet(kept) {
  if (kept === true) return "full";
  return kept === "quiet" || kept === "full" ? kept : "off";
}

/** Apply preferences that are changed in another window of this browser.
 * @param {(prefs: Prefs) => void} heard */
export function followPrefs(heard) {
  window.addEventListener("storage", ({ key }) => {
    // Key is null when the whole storage was cleared.
    if (key === KEY || key === null) heard(loadPrefs());
  });
}

/** @param {Prefs} prefs @param {Pick<Storage, "setItem">} [storage] */
export function savePrefs(prefs, storage) {
  try {
    (storage ?? globalThis.localStorage).setItem(KEY, JSON.stringify(prefs));
  } catch {
    // Private windows may refuse storage. The preference then lasts until the page is closed.
  }
}

/** Return whether an earlier table in this tab had to poll; see ../polling.js. */
export function polls() {
  try {
    return globalThis.sessionStorage?.getItem("polls");
  } catch {
    return null;
  }
}

/** Keep the site from taking a player back to this table: in this tab, in tabs opened from it, and in other
 * tabs that ask while this one is open. See pages/summons.js.
 * @param {string} path */
export function noteHere(path) {
  try {
    globalThis.sessionStorage?.setItem(`went ${path}`, "");
  } catch {
    // See above. The site then offers the table once more.
  }
  const Channel = window.BroadcastChannel;
  if (!Channel) return;
  const tabs = new Channel("lastcard-tables");
  tabs.onmessage = ({ data }) => data.asked === path && tabs.postMessage({ open: path });
  window.addEventListener("pagehide", () => tabs.postMessage({ closed: path }));
  window.addEventListener("pageshow", ({ persisted }) => persisted && tabs.postMessage({ open: path }));
}
