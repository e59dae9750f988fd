// Calls players to the table by sound, vibration and notification. Contains the question whether they want this,
// and the bell. Features that the browser lacks, as many on plain HTTP, are not offered.

import { h, setAttribute } from "./dom.js";
import { makeLater } from "./later.js";
import { isPlayer } from "./store.js";
import { gettext } from "../text.js";

const loadHomeScreen = makeLater(() => import("./home_screen.js"));

/** @import { Prefs, SoundSet } from "./prefs.js" */
/** @import { Show } from "./store.js" */

export const canNotify = () => globalThis.isSecureContext && "Notification" in globalThis && Boolean(navigator.serviceWorker);

/** Return whether this page is in a browser on an iPhone or iPad. There, only sites on the Home Screen can show
 * notifications. */
const isWithoutNotices = () => !canNotify() && /** @type {{standalone?: boolean}} */ (navigator).standalone === false;

/** Create the question about calls, which is asked once on each device: before the first deal in
 * place of the empty hand, or later on a score sheet.
 * @param {HTMLElement} table @param {{prefs: () => Prefs, answer: (yes: boolean) => void}} handlers
 * @returns {{element: HTMLElement, show: Show}} `element` is placed on the sheets */
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

/** Set up the bell in the bar, which shows whether this device calls its player. A tap toggles it.
 * @param {HTMLElement|null} button null at tables without calls @param {{prefs: () => Prefs, call: (on: boolean) => void}} handlers @returns {Show}
 */
export function makeBell(button, { prefs, call }) {
  if (!button) return () => {};
  const on = () => prefs().sound !== "off" || prefs().vibration || prefs().notices;
  button.addEventListener("click", () => call(!on()));
  return () => setAttribute(button, "aria-pressed", String(on()));
}

/** Create the question and the bell, which change the same settings.
 * @param {HTMLElement} table @param {HTMLElement|null} bell
 * @param {{prefs: () => Prefs, change: (name: "vibration"|"asked"|"notices", value: boolean) => void, choose: (set: SoundSet) => void}} device
 * @returns {{element: HTMLElement, show: Show}} `element` is the question, placed on the sheets */
export function makeCalling(table, bell, { prefs, change, choose }) {
  const call = async (/** @type {boolean} */ on) => {
    if (!on) choose("off");
    else if (prefs().sound === "off") choose("quiet");
    change("vibration", on);
    change("asked", true);
    change("notices", on && (await mayNotify()));
    if (on && isWithoutNotices()) loadHomeScreen().then(({ explainHomeScreen }) => explainHomeScreen(), () => {});
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

/** @typedef {{title: string, body: string}} Call */

/** Return a function that notifies the player while the page is hidden. Its code loads once notifications are
 * turned on.
 * @param {string} worker address of the script that shows notifications
 * @returns {(on: boolean, call: Call|null) => void} null removes the notification */
export function makeSummon(worker) {
  /** @type {Promise<(on: boolean, call: Call|null) => Promise<void>>|null} */
  let notices = null;
  return (on, call) => {
    if (!(on || notices) || !canNotify()) return;
    notices ??= import("./notices.js").then(({ makeNotices }) => makeNotices(worker));
    // A failed load is retried at the table's next update.
    notices.then((tell) => tell(on, call), () => {
      notices = null;
    });
  };
}
