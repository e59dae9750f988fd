// Calling a player to the table: one question between hands, a bell, and notices while the page is hidden.
// What the browser cannot do here (on plain HTTP most of it) is not offered.

import { h, setAttribute } from "./dom.js";
import { isPlayer } from "./store.js";
import { gettext } from "../text.js";

/** @import { Prefs, SoundSet } from "./prefs.js" */
/** @import { Show } from "./store.js" */

export const canNotify = () => globalThis.isSecureContext && "Notification" in globalThis && Boolean(navigator.serviceWorker);

/** Asked once on each device: before the first deal in the hand's empty place, else on a score sheet.
 * @param {HTMLElement} table @param {{prefs: () => Prefs, answer: (yes: boolean) => void}} handlers
 * @returns {{element: HTMLElement, show: Show}} `element` stands on the sheets */
export function makeQuestion(table, { prefs, answer }) {
  const text = canNotify() ? gettext("Want sound, vibration and a notification when it’s your turn?") : gettext("Want sound and vibration when it’s your turn?");
  /** @param {boolean} yes @param {string} title */
  const button = (yes, title) => h("button.banner-button", { type: "button", onclick: () => answer(yes) }, title);
  const element = h("section.ask", { id: "ask", "aria-label": gettext("Your turn") }, h("p", {}, text), h("p.answers", {}, button(true, gettext("Yes")), button(false, gettext("No"))));
  /** @type {Show} */
  const show = ({ view }) => {
    const waits = view.match.phase === "waiting";
    element.hidden = prefs().asked || !isPlayer(view) || view.match.practice || !(waits || (view.sheet && !view.sheet.over));
    if (waits && !element.hidden && !element.isConnected) table.append(element);
    if (!waits && element.parentNode === table) element.remove();
  };
  return { element, show };
}

/** The bell in the bar: whether this device calls its player, changed by one tap.
 * @param {HTMLElement|null} button null where nobody is called @param {{prefs: () => Prefs, call: (on: boolean) => void}} handlers @returns {Show} */
export function makeBell(button, { prefs, call }) {
  if (!button) return () => {};
  const on = () => prefs().sound !== "off" || prefs().vibration || prefs().notices;
  button.addEventListener("click", () => call(!on()));
  return () => setAttribute(button, "aria-pressed", String(on()));
}

/** The question and the bell, and what both of them change.
 * @param {HTMLElement} table @param {HTMLElement|null} bell
 * @param {{prefs: () => Prefs, change: (name: "vibration"|"asked"|"notices", value: boolean) => void, choose: (set: SoundSet) => void}} device
 * @returns {{element: HTMLElement, show: Show}} `element` is the question, to stand on the sheets */
export function makeCalling(table, bell, { prefs, change, choose }) {
  const call = async (/** @type {boolean} */ on) => {
    if (!on) choose("off");
    else if (prefs().sound === "off") choose("quiet");
    change("vibration", on);
    change("asked", true);
    change("notices", on && (await mayNotify()));
  };
  const question = makeQuestion(table, { prefs, answer: (yes) => (yes ? call(true) : change("asked", true)) });
  const showBell = makeBell(bell, { prefs, call });
  /** @type {Show} */
  const show = (state, now) => {
    question.show(state, now);
    showBell(state, now);
  };
  return { element: question.element, show };
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
