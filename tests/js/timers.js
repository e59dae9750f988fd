// Timers that a test controls. Those of node:test have a different interface in each version.

/** Replace timeouts until `reset()`, so that they wait for `tick(ms)`. */
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

/** Replace the page's steady clock by `read`, which answers milliseconds. Returns a call that puts the real one back. */
export function replaceClock(read) {
  // Node 18 does not allow assigning to `performance.now`.
  const set = (value) => Object.defineProperty(performance, "now", { value, configurable: true });
  const { now: real } = performance;
  set(read);
  return () => set(real);
}
