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
