// Notifications of this device, loaded once its player wants them: of the page itself while it is hidden,
// and those that the site sends while it is closed.

/** @import { Call } from "./summon.js" */

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

/** Tells players who look elsewhere that it is their turn. The worker starts as soon as they want that, for
 * the first turn may come when the page is hidden already; it also has the site call this device from then on.
 * @param {string} worker address of the script that shows it
 * @returns {(on: boolean, call: Call|null) => Promise<void>} null takes the notification back */
export function makeNotices(worker) {
  /** @type {Promise<ServiceWorkerRegistration>|null} */
  let starting = null;
  /** @type {Call|null} */
  let wanted = null;
  let shown = false;
  let busy = false;
  // While nobody looked the site may have called this device.
  let stale = true;
  let bell = false;
  /** Whether the worker knows of the bell, or null. @type {boolean|null} */
  let told = null;

  /** @param {ServiceWorkerRegistration} there */
  async function close(there) {
    for (const each of await there.getNotifications({ tag: "turn" })) each.close();
  }

  async function settle() {
    const there = await (starting ??= startWorker(worker));
    while (told !== bell) {
      told = bell;
      there.active?.postMessage({ bell });
    }
    while (Boolean(wanted) !== shown) {
      const call = wanted;
      if (call) await there.showNotification(call.title, { body: call.body, tag: "turn", data: { address: location.href } });
      else await close(there);
      shown = Boolean(call);
      navigator.setAppBadge?.(shown ? 1 : 0).catch(() => {});
    }
    if (!stale || document.hidden) return;
    stale = false;
    await close(there);
    navigator.setAppBadge?.(0).catch(() => {});
  }

  return async (on, call) => {
    wanted = call;
    bell = on;
    stale ||= document.hidden;
    if (busy || !(on || shown || told) || Notification.permission !== "granted") return;
    busy = true;
    // Tried again when the table is shown next.
    await settle().catch(() => {
      starting = null;
      told = null;
    });
    busy = false;
  };
}
