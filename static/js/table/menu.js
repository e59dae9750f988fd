// The table's menu: rules, settings of this device, keyboard shortcuts, and the table in words.

import { find } from "../elements.js";
import { cardFace } from "./cards.js";
import { h } from "./dom.js";
import { KEYS } from "./keys.js";
import { canNotify, mayNotify } from "./summon.js";
import { commands } from "./words.js";
import { gettext } from "../text.js";

/** @import { HouseRules } from "./cards.js" */
/** @import { Prefs, SoundSet } from "./prefs.js" */
/** @typedef {"confirm"|"vibration"|"notices"|"reactions"|"shortcuts"|"text"} Switch */
/** @typedef {{link: string, lasting: boolean}} Shuffle `lasting`: the browser stores this player's
 * shares */
/** @typedef {HouseRules & {link: string}} Rules */
/** @typedef {(name: Switch, value: boolean) => void} Change */
/** @typedef {{choose: (set: SoundSet) => void, volume: (value: number) => void}} Hearing both
 * functions play a sample */
/** @typedef {{prefs: Prefs, change: Change, hear: Hearing, words: string[][], showMe: false|(() => void), call: false|(() => void), log: () => void, shuffle: Shuffle, rules: Rules,
 *   close: () => void}} Opened arguments of an opened menu */

/** @type {[Switch, string, string][]} */
const CHOICES = [
  ["confirm", gettext("Ask before playing a card"), gettext("The first tap selects a card, and the second plays it.")],
  ["vibration", gettext("Vibration"), ""],
  ["notices", gettext("Notifications"), gettext("When it’s your turn and you’re in another tab or app.")],
  ["reactions", gettext("Reactions"), gettext("Smileys and short messages from players at this table.")],
  ["shortcuts", gettext("Letter shortcuts"), gettext("Single-letter keys for the buttons.")],
  ["text", gettext("Text mode"), gettext("Shows the table in words. You play by typing or with plain buttons. Made for screen readers.")],
];

/** @type {[SoundSet, string, string][]} */
const SOUNDS = [
  ["off", gettext("No sound"), ""],
  ["quiet", gettext("Quiet"), gettext("Your turn, a player’s last card and your win.")],
  ["full", gettext("Full"), gettext("The same, plus cards, penalties and the clock.")],
];

/**
 * @param {{prefs: () => Prefs, change: Change, hear: Hearing, words: () => string[][], showMe: () => false|(() => void),
 *   call: () => false|(() => void), log: () => void, shuffle: () => Shuffle, rules: Rules}} table
 */
export function makeMenu({ prefs, change, hear, words, showMe, call, log, shuffle, rules }) {
  const dialog = h("dialog.menu", { "aria-labelledby": "menu-title" });
  const close = () => dialog.close();
  /** @type {Change} */
  const choose = (name, value) => {
    if (name === "text") close(); // text mode replaces the table and takes the focus
    if (name === "notices" && value) mayNotify(); // browsers ask for permission only after a tap
    change(name, value);
  };
  const open = () => {
    dialog.replaceChildren(...parts({ prefs: prefs(), change: choose, hear, words: words(), showMe: showMe(), call: call(), log, shuffle: shuffle(), rules, close }));
    dialog.showModal();
    hearIn(dialog);
    dialog.scrollTop = 0;
  };
  dialog.addEventListener("close", () => hearIn(null));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return open;
}

/** Move the live regions into a dialog, because screen readers ignore the page behind a modal dialog.
 * @param {HTMLElement|null} dialog */
function hearIn(dialog) {
  (dialog ?? find("table")).append(find("polite"));
  (dialog ?? document.body).append(find("assertive"));
}

/** @param {Opened} opened */
function parts({ prefs, change, hear, words, showMe, call, log, shuffle, rules, close }) {
  const explain = () => {
    close();
    if (showMe) showMe();
  };
  return [
    h("div.menu-head", {}, h("h2", { id: "menu-title" }, gettext("Menu")), h("button.menu-close", { type: "button", onclick: close }, gettext("Close"))),
    barButtons({ call, log, rules, close }),
    showMe ? h("button.menu-close.show-me", { type: "button", onclick: explain }, gettext("Show me how to play")) : null,
    ...houseRules(rules),
    ...fairDeal(shuffle),
    h("h3", {}, gettext("This device")),
    ...CHOICES.filter(([name]) => name !== "notices" || canNotify()).map(([name, title, help]) => toggle(name, title, help, prefs, change)),
    h("h3", { id: "menu-sounds" }, gettext("Sounds")),
    h("div", { role: "radiogroup", "aria-labelledby": "menu-sounds" }, ...SOUNDS.map(([set, title, help]) => sound(set, title, help, prefs, hear))),
    volume(prefs, hear),
    folded(gettext("The table in words"), h("dl.in-words", {}, ...words.flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]))),
    folded(gettext("Keyboard shortcuts"), list(KEYS)),
    folded(gettext("Text mode commands"), list(commands())),
  ].filter((each) => each !== null);
}

/** Return the buttons that do not fit into the bar of a narrow window.
 * @param {Pick<Opened, "call"|"log"|"rules"|"close">} opened */
function barButtons({ call, log, rules, close }) {
  /** @param {string} text @param {() => void} act */
  const button = (text, act) => h("button.menu-close", { type: "button", onclick: () => {
    close();
    act();
  } }, text);
  return h("p.menu-bar", {},
    button(gettext("Log"), log),
    h("a.menu-close", { href: rules.link, target: "_blank", rel: "opener" }, gettext("Rules")),
    call ? button(gettext("Call a referee"), call) : null);
}

/** Return a section about house rules and special cards, with texts from the server.
 * @param {Rules} rules */
function houseRules({ changed, specials, link }) {
  const rules = changed.map(({ title, text }) => h("li", {}, h("b", {}, title), h("span", {}, text)));
  const cards = specials.map(({ card, text }) => h("li", {}, cardFace(card), h("span", {}, text)));
  return [
    h("h3", {}, gettext("House rules at this table")),
    rules.length ? h("ul.house-rules", {}, ...rules) : h("p.menu-note", {}, gettext("None: standard rules.")),
    folded(gettext("What the special cards do"), h("ul.special-cards", {}, ...cards)),
    h("a.menu-link", { href: link, target: "_blank", rel: "opener" }, gettext("All the rules")),
  ];
}

/** Return a section that explains who shuffled, with a link to check the deal. @param {Shuffle} shuffle */
function fairDeal({ link, lasting }) {
  const forgetful = h("p.menu-note", {}, gettext("This browser doesn’t store data for the site, so your own contribution can only be checked until you close this page."));
  return [
    h("h3", {}, gettext("The shuffle")),
    h("p.menu-note", {}, gettext("Every player’s device, including yours, takes part in each shuffle, so no one can choose the cards.")),
    lasting ? null : forgetful,
    h("a.menu-link", { href: link, target: "_blank", rel: "opener" }, gettext("How the cards were shuffled")),
  ];
}

/** @param {string} title @param {Element} content */
function folded(title, content) {
  return h("details.menu-part", {}, h("summary", {}, title), content);
}

/** @param {string[][]} pairs */
function list(pairs) {
  return h("dl.in-words", {}, ...pairs.flatMap(([key, text]) => [h("dt", {}, h("kbd", { translate: "no" }, key)), h("dd", {}, text)]));
}

/** @param {Switch} name @param {string} title @param {string} help @param {Prefs} prefs @param {Change} change */
function toggle(name, title, help, prefs, change) {
  /** @type {HTMLInputElement} */
  const box = h("input", { type: "checkbox", onchange: () => change(name, box.checked) });
  box.checked = prefs[name];
  return h("label.choice", {}, box, h("span", {}, h("b", {}, title), help ? h("small", {}, help) : null));
}

/** @param {SoundSet} set @param {string} title @param {string} help @param {Prefs} prefs @param {Hearing} hear */
function sound(set, title, help, prefs, hear) {
  /** @type {HTMLInputElement} */
  const button = h("input", { type: "radio", name: "sound", onchange: () => hear.choose(set) });
  button.checked = prefs.sound === set;
  return h("label.choice", {}, button, h("span", {}, h("b", {}, title), help ? h("small", {}, help) : null));
}

/** @param {Prefs} prefs @param {Hearing} hear */
function volume(prefs, hear) {
  /** @type {HTMLInputElement} */
  const range = h("input", { type: "range", min: 0, max: 1, step: 0.1, onchange: () => hear.volume(Number(range.value)) });
  range.value = String(prefs.volume);
  return h("label.choice", {}, h("span", {}, h("b", {}, gettext("Volume"))), range);
}
