// Keeps the screen on while a hand is played, because players lose turns when their phone goes to sleep.

/** Call the returned function with whether the screen should stay on. The lock is lost whenever the page is
 * hidden, and acquired again afterwards.
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
