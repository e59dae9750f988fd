import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { makeAudio, played } from "../audio.js";
import { all, find, makePage, stateWith, viewWith } from "./page.js";

const audio = makeAudio();
const DEVICE = { asked: true, offered: false, sound: "off", volume: 0.5, vibration: false, notices: false };
const BETWEEN = { sheet: { over: false } };
let prefs;
let hearing;
let show;

beforeEach(async () => {
  const { window } = makePage();
  const { makeHearing } = await import("../../../static/js/table/hearing.js");
  const { makeMenu } = await import("../../../static/js/table/menu.js");
  prefs = { ...DEVICE };
  audio.clear();
  const change = (name, value) => {
    prefs = { ...prefs, [name]: value };
  };
  hearing = makeHearing(find("#table"), null, { prefs: () => prefs, change });
  find("#stage").append(...hearing.between);
  show = (view) => hearing.show(stateWith(view), 0);
  window.HTMLElement.prototype.scrollIntoView = () => {};
  find("#menu-button").addEventListener("click", makeMenu({
    prefs: () => prefs, change, hear: hearing, words: () => [], showMe: () => false, call: () => false, log: () => {}, shuffle: () => ({ link: "/", lasting: true }), rules: { changed: [], specials: [], link: "/" },
  }));
});

const offer = () => !find(".offer").hidden;
const tap = (set) => find(`.offer [data-set="${set}"]`).click();
const listPressed = () => all(".offer [aria-pressed='true']").map((button) => button.dataset.set);

test("sounds are offered on a score sheet, but not during a hand or beside the other question", () => {
  show({});
  assert.equal(offer(), false);
  prefs.asked = false;
  show(BETWEEN);
  assert.equal(offer(), false);
  prefs.asked = true;
  show(BETWEEN);
  assert.equal(offer(), true);
  show({ sheet: { over: true } });
  assert.equal(offer(), false);
});

test("a button in the bar turns sounds on before the first deal, and off again", async () => {
  const button = document.createElement("button");
  button.id = "sound";
  find("#table").append(button);
  const { makeHearing } = await import("../../../static/js/table/hearing.js");
  const change = (name, value) => {
    prefs = { ...prefs, [name]: value };
  };
  const { show: showAll } = makeHearing(find("#table"), null, { prefs: () => prefs, change });
  const seen = () => {
    showAll(stateWith(), 0);
    return [button.getAttribute("aria-pressed"), button.hasAttribute("data-new"), prefs.sound];
  };
  assert.deepEqual(seen(), ["false", true, "off"]);
  button.click();
  assert.deepEqual(seen(), ["true", false, "full"]);
  button.click();
  assert.deepEqual(seen(), ["false", false, "off"]);
});

test("practice tables offer sounds although they do not call players, and viewers get no offer", () => {
  prefs.asked = false;
  show({ ...BETWEEN, match: { ...viewWith().match, practice: true } });
  assert.equal(offer(), true);
  show({ ...BETWEEN, you: null });
  assert.equal(offer(), false);
});

test("a tap turns a set on and plays a sample, and sets can be compared until the sheet closes", async () => {
  show(BETWEEN);
  assert.deepEqual(listPressed(), []);
  tap("quiet");
  await played();
  assert.deepEqual([prefs.sound, prefs.offered], ["quiet", true]);
  assert.deepEqual(audio.pitches(), [523, 659, 784]);
  show(BETWEEN);
  assert.deepEqual([offer(), listPressed()], [true, ["quiet"]]);
  audio.clear();
  tap("full");
  await played();
  assert.equal(prefs.sound, "full");
  assert.ok(audio.pitches().includes(150), "a card is heard");
  show({});
  show(BETWEEN);
  assert.equal(offer(), false);
});

test("a player who chooses silence is not asked again, and hears nothing", async () => {
  show(BETWEEN);
  tap("off");
  await played();
  assert.deepEqual([prefs.sound, prefs.offered, audio.pitches()], ["off", true, []]);
  show({});
  show(BETWEEN);
  assert.equal(offer(), false);
});

test("turning on notifications in the menu asks for permission", () => {
  let asked = 0;
  globalThis.isSecureContext = true;
  globalThis.Notification = /** @type {any} */ ({ requestPermission: async () => { asked += 1; } });
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: {} }, configurable: true });
  window.HTMLDialogElement.prototype.showModal = () => {};
  find("#menu-button").click();
  const box = all(".choice").find((each) => each.textContent.startsWith("Notifications")).querySelector("input");
  box.click();
  box.click();
  assert.deepEqual([asked, prefs.notices], [1, false]);
});

test("the menu offers the three sets and plays the chosen set at the new volume", async () => {
  find("#menu-button").click();
  const radios = all(".menu [role=radiogroup] input");
  assert.deepEqual(radios.map((radio) => [radio.closest("label").querySelector("b").textContent, radio.checked]), [["No sound", true], ["Quiet", false], ["Full", false]]);
  radios[1].click();
  await played();
  assert.deepEqual([prefs.sound, audio.pitches()], ["quiet", [523, 659, 784]]);
  audio.clear();
  const range = find(".menu input[type=range]");
  range.value = "0.8";
  range.dispatchEvent(new Event("change"));
  await played();
  assert.deepEqual([prefs.volume, audio.pitches(), audio.volumes().at(0)], [0.8, [523, 659, 784], 0.8]);
});
