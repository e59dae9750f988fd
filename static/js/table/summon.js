// Calling a player to the table: one question on sitting down, and notices while the page is hidden.
// What the browser cannot do here (on plain HTTP most of it) is not offered.

import { h } from "./dom.js";
import { isPlayer } from "./store.js";
import { gettext } from "../text.js";

/** @import { Prefs } from "./prefs.js" */
/** @import { Show } from "./store.js" */

export const canNotify = () => globalThis.isSecureContext && "Notification" in globalThis && Boolean(navigator.serviceWorker);

/** Asked once on each device, above the table.
 * @param {HTMLElement} root @param {{prefs: () => Prefs, answer: (yes: boolean) => void}} handlers @returns {Show} */
export function makeQuestion(root, { prefs, answer }) {
  const text = canNotify() ? gettext("Call you when it is your turn, with a sound, a buzz and a notice?") : gettext("Call you when it is your turn, with a sound and a buzz?");
  /** @param {boolean} yes @param {string} title */
  const button = (yes, title) => h("button.banner-button", { type: "button", onclick: () => answer(yes) }, title);
  root.replaceChildren(h("span", {}, text), h("span.answers", {}, button(true, gettext("Yes")), button(false, gettext("No"))));
  return ({ view }) => {
    // Who is being taught is asked afterwards: one thing at a time.
    const taught = prefs().taught || !view.coach?.length;
    root.hidden = prefs().asked || !isPlayer(view) || !taught;
  };
}

/** @returns {Promise<boolean>} whether notices may be shown */
export async function mayNotify() {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** Says that it is your turn to who does not look; `call(null)` takes it back.
 * @param {string} worker address of the script that shows it */
export function makeSummon(worker) {
  const registered = () => navigator.serviceWorker.register(worker, { type: "module" });
  /** @type {Promise<ServiceWorkerRegistration>|null} */
  let registration = null;
  let shown = false;

  return async (/** @type {{title: string, body: string}|null} */ about) => {
    if (Boolean(about) === shown || !canNotify() || Notification.permission !== "granted") return;
    shown = Boolean(about);
    navigator.setAppBadge?.(about ? 1 : 0).catch(() => {});
    registration ??= registered();
    const there = await registration;
    if (about) return there.showNotification(about.title, { body: about.body, tag: "turn", data: { address: location.href } });
    for (const each of await there.getNotifications({ tag: "turn" })) each.close();
  };
}
