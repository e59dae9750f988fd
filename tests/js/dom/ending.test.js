import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { all, DECK, find, makePage, viewWith } from "./page.js";

const BOX = { left: 0, top: 0, width: 60, height: 90 };
let page;
let ending;

beforeEach(async () => {
  page = makePage();
  globalThis.innerWidth = 360;
  globalThis.innerHeight = 740;
  const { setCards } = await import("../../../static/js/table/cards.js");
  const { Ending } = await import("../../../static/js/table/ending.js");
  setCards({ sprite: "/s.svg", deck: DECK });
  find("#table").dataset.end = "/end.css";
  find("#stage").innerHTML = '<section class="sheet" data-fresh="true"></section>';
  ending = new Ending(find("#flights"), find("#table"));
});

const links = () => all("link").map((link) => link.getAttribute("href"));

test("the code for the end is fetched once, when a player has few cards left", () => {
  ending.look(viewWith());
  ending.look(viewWith({ seats: viewWith().seats.map((seat) => ({ ...seat, count: 0 })) })); // before the deal
  assert.deepEqual(links(), []);
  const seats = viewWith().seats.map((seat) => ({ ...seat, count: 2 }));
  ending.look(viewWith({ seats }));
  ending.look(viewWith({ seats }));
  assert.deepEqual(links(), ["/end.css"]);
});

test("the last card covers the table before the sheet, and a tap skips it", async () => {
  await ending.show("R7", BOX, BOX, false);
  assert.deepEqual([all(".last-card use")[0].getAttribute("href"), find(".sheet").dataset.fresh, page.flights.length], ["/s.svg#R7", "breath", 1]);
  document.dispatchEvent(new page.window.Event("pointerdown"));
  assert.deepEqual([all(".last-card").length, find(".sheet").dataset.fresh], [0, "now"]);
});

test("without animation, the last card appears in place", async () => {
  await ending.show("R7", BOX, BOX, true);
  assert.deepEqual([all(".last-card").length, page.flights.length], [1, 0]);
  ending.cut();
});

test("the next hand stops the animation", async () => {
  await ending.show("R7", BOX, BOX, false);
  ending.look(viewWith());
  assert.equal(all(".last-card").length, 0);
});

test("without a new sheet, nothing is animated", async () => {
  delete find(".sheet").dataset.fresh;
  await ending.show("R7", BOX, BOX, false);
  assert.equal(all(".last-card").length, 0);
});
