// Service worker that shows notifications about a player's turn while the page is hidden or closed. A tap on a
// notification opens the page. While the bell is on, the device is subscribed to push messages.

/** @typedef {{url: string, visibilityState: string, focus: () => Promise<unknown>}} Page */
/** @typedef {{matchAll: (which: object) => Promise<Page[]>, openWindow: (address: string) => Promise<unknown>}} Pages */
/** @typedef {{clients: Pages, registration: ServiceWorkerRegistration}} World of this script */
/** @typedef {{title: string, body: string, address: string, language: string}} Call content of a
 * push message from tournament/push/calls.py */

const DEVICES = "/accounts/push/";
const { clients, registration } = /** @type {World} */ (/** @type {any} */ (self));

/** @param {string} type @param {(event: any) => unknown} work */
const on = (type, work) => self.addEventListener(type, (/** @type {any} */ event) => event.waitUntil(work(event)));

on("notificationclick", ({ notification }) => {
  notification.close();
  return show(notification.data.address);
});
on("push", ({ data }) => call(data.json()));
on("message", ({ data }) => (data.bell ? subscribe() : unsubscribe()));
on("pushsubscriptionchange", subscribe);

/** @param {string} address */
async function findPage(address) {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return open.find(({ url }) => new URL(url).pathname === new URL(address).pathname);
}

/** @param {string} address */
async function show(address) {
  const page = await findPage(address);
  return page ? page.focus() : clients.openWindow(address);
}

/** @param {Call} call */
async function call({ title, body, address, language }) {
  const { href } = new URL(address, location.href);
  // A visible table needs no notification.
  if ((await findPage(href))?.visibilityState === "visible") return;
  const options = { body, lang: language, tag: "turn", renotify: true, data: { address: href } };
  await registration.showNotification(title, options);
  await navigator.setAppBadge?.(1).catch(() => {});
}

/** Subscribe this device to push messages. If the site's key has changed, subscribe again. */
async function subscribe() {
  const answer = await fetch(DEVICES);
  if (!answer.ok) return;
  const { key, token } = await answer.json();
  const { pushManager } = registration;
  const existing = await pushManager.getSubscription();
  const hasKey = existing && encode(existing.options.applicationServerKey) === key;
  if (existing && !hasKey) await existing.unsubscribe();
  const device = hasKey ? existing : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await send("POST", device, token);
}

async function unsubscribe() {
  const device = await registration.pushManager.getSubscription();
  if (!device) return;
  await device.unsubscribe();
  const answer = await fetch(DEVICES);
  if (answer.ok) await send("DELETE", device, (await answer.json()).token);
}

/** @param {string} method @param {PushSubscription} device @param {string} token */
function send(method, device, token) {
  return fetch(DEVICES, { method, body: JSON.stringify(device), headers: { "Content-Type": "application/json", "X-CSRFToken": token } });
}

/** Encode bytes as base64url. @param {ArrayBuffer|null} key */
function encode(key) {
  const text = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}
