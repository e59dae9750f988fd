// Opens WebSockets or, if the network blocks these, polling connections.

/** @param {() => string|URL} address
 * @param {{isLive: () => boolean, reopen: () => void}} connection `reopen` replaces its socket */
export function makeOpening(address, { isLive, reopen }) {
  /** @type {{open: () => any, stop: () => void}|null} */
  let polling = null;

  function useWebSockets() {
    if (!polling) return;
    polling.stop();
    polling = null;
    reopen();
  }

  async function poll() {
    // The import fails without a network, and so would polling.
    const module = await import("./polling.js").catch(() => null);
    const found = await module?.makePolling(address, useWebSockets);
    if (!found) return;
    if (polling || isLive()) return found.stop();
    polling = found;
    reopen();
  }

  return {
    open: () => polling?.open() ?? new WebSocket(address()),
    polls: () => polling !== null,
    /** Start polling until WebSockets work, or stop polling. */
    change: () => (polling ? useWebSockets() : poll()),
  };
}
