// Keeps the screen on during a hand, because players lose turns when their phone goes to sleep.

/** Return a function that turns the wake lock on or off. Browsers release the lock when the page is hidden; the
 * next call acquires it again.
 * @param {Pick<WakeLock, "request">|undefined} wakeLock what the browser has for it */
export function makeAwake(wakeLock = globalThis.navigator?.wakeLock) {
  let wanted = false;
  let asking = false;
  /** @type {WakeLockSentinel|null} */
  let lock = null;

  async function take() {
    if (!wakeLock || lock || asking || document.visibilityState !== "visible") return;
    asking = true;
    // The browser may refuse the lock when the battery is low.
    lock = await wakeLock.request("screen").catch(() => null);
    asking = false;
    lock?.addEventListener("release", () => {
      lock = null;
    });
    if (!wanted) lock?.release();
  }

  return (/** @type {boolean} */ want) => {
    wanted = want;
    if (want) take();
    else lock?.release();
  };
}
