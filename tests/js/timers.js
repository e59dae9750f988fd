// Timers that a test moves. node:test has its own, but asks for them differently in each version.

/** Until `reset()`, what waits for a timeout waits for `tick(ms)`. */
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
