// Shows that it is somebody's turn while their page is hidden, and brings the page back when touched.

/** @typedef {{url: string, focus: () => Promise<unknown>}} Page */
/** @typedef {{matchAll: (which: object) => Promise<Page[]>, openWindow: (address: string) => Promise<unknown>}} Pages */

self.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.address));
});

/** @param {string} address */
async function show(address) {
  /** @type {{clients: Pages}} */
  const { clients } = /** @type {any} */ (self);
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = open.find(({ url }) => new URL(url).pathname === new URL(address).pathname);
  return page ? page.focus() : clients.openWindow(address);
}
