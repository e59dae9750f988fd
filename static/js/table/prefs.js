// This player's preferences, stored on this device.

const KEY = "lastcard-table";
/** Sets of sounds. @typedef {"off"|"quiet"|"full"} SoundSet */

const DEFAULTS = {
  order: "color", sound: /** @type {SoundSet} */ ("off"), offered: false, volume: 0.5, vibration: false, confirm: false, shortcuts: true,
  text: false, taught: false, asked: false, notices: false, reactions: true,
};

/** @typedef {typeof DEFAULTS} Prefs */

/** Return the stored preferences, completed with defaults. Unreadable storage counts as empty.
 * @param {Pick<Storage, "getItem">} [storage] @returns {Prefs} */
export function loadPrefs(storage) {
  try {
    const kept = { ...DEFAULTS, ...JSON.parse((storage ?? globalThis.localStorage).getItem(KEY) ?? "{}") };
    return { ...kept, sound: soundSet(kept.sound) };
  } catch {
    return { ...DEFAULTS };
  }
}

/** Convert the older boolean preference, in which true meant the full set.
 * @param {unknown} kept @returns {SoundSet} */
function soundSet(kept) {
  if (kept === true) return "full";
  return kept === "quiet" || kept === "full" ? kept : "off";
}

/** Call `heard` when another window of this browser changes the preferences.
 * @param {(prefs: Prefs) => void} heard */
export function followPrefs(heard) {
  window.addEventListener("storage", ({ key }) => {
    // The key is null when the whole storage was cleared.
    if (key === KEY || key === null) heard(loadPrefs());
  });
}

/** @param {Prefs} prefs @param {Pick<Storage, "setItem">} [storage] */
export function savePrefs(prefs, storage) {
  try {
    (storage ?? globalThis.localStorage).setItem(KEY, JSON.stringify(prefs));
  } catch {
    // Storage may be blocked in private windows. The preference then lasts until the page is closed.
  }
}

/** Return whether an earlier table in this tab had to poll (see ../polling.js). */
export function polls() {
  try {
    return globalThis.sessionStorage?.getItem("polls");
  } catch {
    return null;
  }
}

/** Prevent pages/summons.js from taking the player to this table again: in this tab and tabs opened from it, and in
 * all other tabs while this one is open.
 * @param {string} path */
export function noteHere(path) {
  try {
    globalThis.sessionStorage?.setItem(`went ${path}`, "");
  } catch {
    // Without storage, the site offers the table once more.
  }
  const Channel = window.BroadcastChannel;
  if (!Channel) return;
  const tabs = new Channel("lastcard-tables");
  tabs.onmessage = ({ data }) => data.asked === path && tabs.postMessage({ open: path });
  window.addEventListener("pagehide", () => tabs.postMessage({ closed: path }));
  window.addEventListener("pageshow", ({ persisted }) => persisted && tabs.postMessage({ open: path }));
}
