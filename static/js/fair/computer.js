// Checks records without blocking the page: in a worker or, if that fails, with a pause before each record.

import { check } from "./check.js";

/** @import { Checked, FairRecord, OldRecord } from "./check.js" */

const REST_MS = 50;

/** @param {string|undefined} address of the thread's script @returns {import("./judging.js").Compute} */
export function makeComputer(address) {
  return (record, match, hand) => computeInWorker(address, { record, match, hand }).catch(() => computeAfterRest(() => check(record, match, hand)));
}

/** @param {string|undefined} address @param {{record: OldRecord|FairRecord, match: string, hand: number}} task @returns {Promise<Checked>} */
function computeInWorker(address, task) {
  return new Promise((resolve, reject) => {
    if (!address || !globalThis.Worker) throw new Error("no threads");
    const worker = new Worker(address, { type: "module" });
    /** @template T @param {(value: T) => void} then @returns {(value: T) => void} */
    const last = (then) => (value) => {
      worker.terminate();
      then(value);
    };
    worker.onmessage = last(({ data }) => resolve(data));
    worker.onerror = last(reject);
    worker.postMessage(task);
  });
}

/** @template T @param {() => T} task @returns {Promise<T>} */
function computeAfterRest(task) {
  return new Promise((resolve) => setTimeout(() => resolve(task()), REST_MS));
}
