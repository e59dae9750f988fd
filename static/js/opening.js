// Opens a page's connection: a WebSocket or, if the network blocks WebSockets, a polling connection.

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
    // Without a network, polling would not work either.
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
    /** Poll until a WebSocket answers, or stop polling. */
    change: () => (polling ? useWebSockets() : poll()),
  };
}
