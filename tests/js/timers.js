// Timers that a test controls. The mock timers of node:test differ between Node.js versions.

/** Replace timeouts until `reset()`. They run when `tick(ms)` advances the time. */
export function stopTimers() {
  const { setTimeout: real } = globalThis;
  let now = 0;
  let waiting = [];
  globalThis.setTimeout = /** @type {any} */ ((call, ms = 0) => waiting.push({ call, at: now + ms }));
  return {
    tick(ms) {
      now += ms;
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      due.forEach(({ call }) => call());
    },
    reset() {
      globalThis.setTimeout = real;
    },
  };
}

/** Replace `performance.now` by `read`. Return a function that restores it. */
export function replaceClock(read) {
  // Node 18 does not allow assigning to `performance.now`.
  const set = (value) => Object.defineProperty(performance, "now", { value, configurable: true });
  const { now: real } = performance;
  set(read);
  return () => set(real);
}
