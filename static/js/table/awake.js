// The screen stays on while a hand is played: a phone that sleeps in its player's hand loses turns.

/** Ask with whether it should: the lock is lost whenever the page is hidden, and taken again.
 * @param {Pick<WakeLock, "request">|undefined} wakeLock what the browser has for it */
export function makeAwake(wakeLock = globalThis.navigator?.wakeLock) {
  let wanted = false;
  let asking = false;
  /** @type {WakeLockSentinel|null} */
  let lock = null;

  async function take() {
    if (!wakeLock || lock || asking || document.visibilityState !== "visible") return;
    asking = true;
    // A battery that is low may refuse it.
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
