import assert from "node:assert/strict";
import { test } from "node:test";

import { makePage } from "./page.js";

makePage("<!doctype html><body>");
const { h, keyed, onChange, setAttribute, setLine, setText, svgUse, within } = await import("../../../static/js/table/dom.js");

test("an element gets its tag, classes, attributes, listeners and children", () => {
  const clicks = [];
  const button = h("button.big.red", { type: "button", title: null, hidden: false, onclick: (event) => clicks.push(event.type) }, "Draw", null, h("b", {}, "2"));
  button.click();
  assert.equal(button.outerHTML, '<button class="big red" type="button">Draw<b>2</b></button>');
  assert.deepEqual(clicks, ["click"]);
  assert.equal(h(".box").outerHTML, '<div class="box"></div>');
});

test("an unchanged attribute or text is not written again", async () => {
  const item = h("p", { title: "2" }, "two");
  document.body.append(item);
  const seen = [];
  new window.MutationObserver((changes) => seen.push(...changes)).observe(item, { attributes: true, childList: true });
  setAttribute(item, "title", 2);
  setText(item, "two");
  await null;
  assert.deepEqual(seen, []);
  setAttribute(item, "title", false);
  setText(item, "three");
  assert.equal(item.outerHTML, "<p>three</p>");
});

test("a text translated by the browser is rewritten only when it changes", () => {
  const translate = (element) => element.replaceChildren(h("font", {}, `<${element.textContent}>`));
  for (const [set, html] of [[setText, "13 s"], [setLine, "<span>13 s</span>"]]) {
    const line = h("p");
    set(line, "14 s");
    translate(line);
    set(line, "14 s");
    assert.equal(line.innerHTML, "<font>&lt;14 s&gt;</font>");
    set(line, "13 s");
    assert.equal(line.innerHTML, html);
  }
});

test("a list reuses its elements in the order of the items", () => {
  const list = h("ul");
  const show = (...items) => keyed(list, items, (item) => item, (item) => h("li", {}, item), (element, item, i) => setAttribute(element, "data-at", i));
  show("a", "b", "c");
  const [a, b, c] = list.children;
  show("c", "a", "d");
  assert.deepEqual([...list.children].map((item) => `${item.textContent}${item.dataset.at}`), ["c0", "a1", "d2"]);
  assert.deepEqual([list.children[0], list.children[1], b.isConnected], [c, a, false]);
});

test("a list that loses its first item moves no other element", async () => {
  const list = h("ul");
  const show = (...items) => keyed(list, items, (item) => item, () => h("li"));
  show("a", "b", "c");
  const added = [];
  const watch = new window.MutationObserver((changes) => added.push(...changes.flatMap((change) => [...change.addedNodes])));
  watch.observe(list, { childList: true });
  show("b", "c");
  await null;
  assert.deepEqual(added, []);
});

test("a part is updated only when a value that it depends on changes", () => {
  const drawn = [];
  const show = onChange((state, now) => [state.view, now > 9], (_, now) => drawn.push(now));
  const view = {};
  [[view, 0], [view, 1], [{}, 2], [view, 3], [view, 10], [view, 11]].forEach(([each, now]) => show({ view: each }, now));
  assert.deepEqual(drawn, [0, 2, 3, 10]);
});

test("the closest matching ancestor of an event's target is found", () => {
  const inner = h("b");
  const button = h("button", {}, inner);
  document.body.append(button);
  const found = [];
  document.body.addEventListener("click", (event) => found.push(within(event, "button"), within(event, "dialog")));
  inner.click();
  assert.deepEqual(found, [button, null]);
});

test("a picture comes from the sprite and is hidden from screen readers", () => {
  assert.equal(svgUse("card", "/s.svg#R7").outerHTML, '<svg class="card" aria-hidden="true"><use href="/s.svg#R7"></use></svg>');
});

test("the content of an element is always text, even if it looks like HTML", () => {
  const line = h("p", {}, "<img src=x onerror=alert(1)>");
  assert.equal(line.children.length, 0);
  assert.equal(line.outerHTML, "<p>&lt;img src=x onerror=alert(1)&gt;</p>");
});
