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

/** @param {string} worker @returns {Promise<ServiceWorkerRegistration>} once it can show notifications */
async function startWorker(worker) {
  const registration = await navigator.serviceWorker.register(worker, { type: "module" });
  const starting = registration.installing ?? registration.waiting;
  if (registration.active || !starting) return registration;
  return new Promise((done, failed) => {
    starting.addEventListener("statechange", () => {
      if (registration.active) done(registration);
      else if (starting.state === "redundant") failed(new Error("The worker did not start"));
    });
  });
}

/** @typedef {{title: string, body: string}} Call */

/** Tells players who look elsewhere that it is their turn. The worker starts as soon as they want that, for
 * the first turn may come when the page is hidden already.
 * @param {string} worker address of the script that shows it
 * @returns {(on: boolean, call: Call|null) => Promise<void>} null takes the notification back */
export function makeSummon(worker) {
  /** @type {Promise<ServiceWorkerRegistration>|null} */
  let starting = null;
  /** @type {Call|null} */
  let wanted = null;
  let shown = false;
  let busy = false;

  async function settle() {
    const there = await (starting ??= startWorker(worker));
    while (Boolean(wanted) !== shown) {
      const call = wanted;
      if (call) await there.showNotification(call.title, { body: call.body, tag: "turn", data: { address: location.href } });
      else for (const each of await there.getNotifications({ tag: "turn" })) each.close();
      shown = Boolean(call);
      navigator.setAppBadge?.(shown ? 1 : 0).catch(() => {});
    }
  }

  return async (on, call) => {
    wanted = call;
    if (busy || !(on || shown) || !canNotify() || Notification.permission !== "granted") return;
    busy = true;
    // Tried again when the table is shown next.
    await settle().catch(() => {
      starting = null;
    });
    busy = false;
  };
}
