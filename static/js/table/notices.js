// Notifications on this device: from the page while it is hidden, and by push while it is closed. Loads once the
// player turns them on.

/** @import { Call } from "./summon.js" */

/** @param {string} worker @returns {Promise<ServiceWorkerRegistration>} resolves once the worker
 * can show notifications */
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

/** Return a function that notifies the player while the page is hidden. When the bell is turned on, the worker
 * starts immediately and subscribes this device to push messages, because the page may be hidden at the first
 * turn.
 * @param {string} worker address of the script that shows notifications
 * @returns {(on: boolean, call: Call|null) => Promise<void>} null withdraws the notification */
export function makeNotices(worker) {
  /** @type {Promise<ServiceWorkerRegistration>|null} */
  let starting = null;
  /** @type {Call|null} */
  let wanted = null;
  let shown = false;
  let busy = false;
  // Push messages may have shown notifications while the page was hidden.
  let stale = true;
  let bell = false;
  /** The bell's state last sent to the worker, or null. @type {boolean|null} */
  let sentBell = null;

  /** @param {ServiceWorkerRegistration} registration */
  async function close(registration) {
    for (const each of await registration.getNotifications({ tag: "turn" })) each.close();
  }

  async function settle() {
    const registration = await (starting ??= startWorker(worker));
    while (sentBell !== bell) {
      sentBell = bell;
      registration.active?.postMessage({ bell });
    }
    while (Boolean(wanted) !== shown) {
      const call = wanted;
      if (call) await registration.showNotification(call.title, { body: call.body, tag: "turn", data: { address: location.href } });
      else await close(registration);
      shown = Boolean(call);
      navigator.setAppBadge?.(shown ? 1 : 0).catch(() => {});
    }
    if (!stale || document.hidden) return;
    stale = false;
    await close(registration);
    navigator.setAppBadge?.(0).catch(() => {});
  }

  return async (on, call) => {
    wanted = call;
    bell = on;
    stale ||= document.hidden;
    if (busy || !(on || shown || sentBell) || Notification.permission !== "granted") return;
    busy = true;
    // Retried the next time the table is shown.
    await settle().catch(() => {
      starting = null;
      sentBell = null;
    });
    busy = false;
  };
}
