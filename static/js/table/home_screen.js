// Instructions for iPhones and iPads, where only sites on the Home Screen may show notifications.

import { h } from "./dom.js";
import { gettext } from "../text.js";

/** Show the instructions in a dialog, after a tap on the bell. */
export function explainHomeScreen() {
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog.menu", { "aria-labelledby": "home-title", onclose: () => dialog.remove() });
  const close = h("button.menu-close", { type: "button", onclick: () => dialog.close() }, gettext("Close"));
  const steps = [
    gettext("Tap the Share button in your browser."),
    gettext("Tap “Add to Home Screen”."),
    gettext("Open the site from your Home Screen, sign in, and turn the bell on there."),
  ];
  const list = h("ol", {}, ...steps.map((step) => h("li", {}, step)));
  // Styled here instead of in a stylesheet, which all devices would load.
  list.style.cssText = "display: grid; gap: 10px; margin: 12px 0 4px; padding-inline-start: 1.4em; list-style: decimal";
  dialog.append(
    h("div.menu-head", {}, h("h2", { id: "home-title" }, gettext("Notifications")), close),
    h("p", {}, gettext("Sound is on. iPhones and iPads show notifications only for sites on the Home Screen:")),
    list,
  );
  document.body.append(dialog);
  dialog.showModal();
}
