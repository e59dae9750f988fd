// Opens the table's connection: a WebSocket or, where the network blocks those, one that polls.

/** @import { Connection } from "./socket.js" */

/** @param {() => URL} address @param {Connection} connection */
export function makeOpening(address, connection) {
  const webSocket = () => new WebSocket(address());
  /** @type {() => import("./socket.js").Line} */
  let open = webSocket;

  function useWebSockets() {
    if (open === webSocket) return;
    open = webSocket;
    connection.wake();
  }

  async function poll() {
    // Without a network there is nothing to poll either.
    const module = await import("../polling.js").catch(() => null);
    const polling = await module?.makePolling(address, useWebSockets);
    if (!polling || connection.status.name === "live") return;
    open = polling;
    connection.wake();
  }

  return {
    open: () => open(),
    /** Poll until a WebSocket is heard, or stop polling. */
    change: () => (open === webSocket ? poll() : useWebSockets()),
  };
}
