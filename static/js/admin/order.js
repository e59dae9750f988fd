// Replaces selects that define an order by a list with rows that can be moved, left out and added back. The hidden
// selects are submitted.
import { h } from "../table/dom.js";
import { gettext } from "../text.js";

/** An ordered selection of keys. */
export class Order {
  /** @param {string[]} chosen in their order, "" for nothing @param {string[]} all */
  constructor(chosen, all) {
    this.chosen = [...new Set(chosen.filter(Boolean))];
    this.all = all;
  }

  /** The keys that are left out. */
  get rest() {
    return this.all.filter((key) => !this.chosen.includes(key));
  }

  /** Move a key up or down, and return whether that was possible. @param {string} key @param {-1|1} by */
  move(key, by) {
    const from = this.chosen.indexOf(key);
    if (!this.chosen[from + by]) return false;
    this.chosen.splice(from, 1);
    this.chosen.splice(from + by, 0, key);
    return true;
  }

  /** Leave the key out if it is in the order; otherwise add it at the end. @param {string} key */
  turn(key) {
    if (this.chosen.includes(key)) this.chosen.splice(this.chosen.indexOf(key), 1);
    else this.chosen.push(key);
    return true;
  }
}

/** @param {string} go @param {string} key @param {string} text @param {string} label @param {boolean} [idle] */
function button(go, key, text, label, idle = false) {
  const told = { "data-go": go, "data-key": key, "aria-label": label, "aria-disabled": idle && "true" };
  return h("button.button.quiet", { type: "button", ...told }, text);
}

/** @param {string} key @param {string} name @param {boolean} first @param {boolean} last */
function placed(key, name, first, last) {
  const up = button("up", key, "↑", gettext("Move up: %(name)s", { name }), first);
  const down = button("down", key, "↓", gettext("Move down: %(name)s", { name }), last);
  const out = button("turn", key, gettext("Leave out"), gettext("Leave out: %(name)s", { name }));
  return h("li", {}, h("span", {}, name), up, down, out);
}

/** @param {string} key @param {string} name */
function leftOut(key, name) {
  return h("li", {}, h("span", {}, name), button("turn", key, gettext("Add back"), gettext("Add back: %(name)s", { name })));
}

class OrderList {
  list = h("ol", { role: "list" });
  rest = h("ul", { role: "list" });
  without = h("div", {}, h("p", {}, gettext("Left out:")), this.rest);
  usual = h("p", {}, gettext("If this list is empty, the usual order applies."));
  heard = h("p.visually-hidden", { role: "status" });

  /** @param {HTMLElement} root what holds the selects */
  constructor(root) {
    this.root = root;
    this.selects = [...root.querySelectorAll("select")];
    const options = [...(this.selects[0]?.options ?? [])].filter(({ value }) => value);
    this.names = new Map(options.map(({ value, text }) => [value, text]));
    for (const select of this.selects) select.hidden = true;
    root.append(this.list, this.usual, this.without, this.heard);
    root.addEventListener("click", ({ target }) => this.press(/** @type {HTMLElement} */ (target).dataset));
    // After going back to the page, the browser restores the values of the selects.
    window.addEventListener("pageshow", () => this.read());
    this.read();
  }

  read() {
    const chosen = this.selects.map(({ value }) => value);
    this.order = new Order(chosen, [...this.names.keys()]);
    this.show(this.order);
  }

  /** @param {DOMStringMap} dataset of what was pressed */
  press({ go, key = "" }) {
    const { order } = this;
    if (!order || !go || !(go === "turn" ? order.turn(key) : order.move(key, go === "up" ? -1 : 1))) return;
    this.selects.forEach((select, at) => Object.assign(select, { value: order.chosen[at] ?? "" }));
    this.show(order);
    this.heard.textContent = this.told(order, key);
    /** @type {HTMLElement|null} */ (this.root.querySelector(`[data-go="${go}"][data-key="${key}"]`))?.focus();
  }

  /** @param {Order} order */
  show({ chosen, rest }) {
    const name = (/** @type {string} */ key) => this.names.get(key) ?? "";
    this.list.replaceChildren(...chosen.map((key, at) => placed(key, name(key), at === 0, at === chosen.length - 1)));
    this.rest.replaceChildren(...rest.map((key) => leftOut(key, name(key))));
    this.usual.hidden = chosen.length > 0;
    this.without.hidden = rest.length === 0;
  }

  /** @param {Order} order @param {string} key */
  told({ chosen }, key) {
    const name = this.names.get(key) ?? "";
    if (!chosen.includes(key)) return gettext("%(name)s has been left out.", { name });
    const number = chosen.indexOf(key) + 1;
    return gettext("%(name)s is now number %(number)s of %(count)s.", { name, number, count: chosen.length });
  }
}

/** @type {HTMLElement|null} */
const root = document.querySelector("[data-order]");
if (root) new OrderList(root);
