import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const TABLE = "https://cards.example/m/abc/";
const CALL = { title: "Your turn", body: "Spring Cup", address: "/m/abc/", language: "en" };
const KEY = Uint8Array.from([4, 251, 255]);

/** Fake environment of the service worker, with its listeners and recorded actions. */
let world;

function makeDevice(key = KEY) {
  return {
    options: { applicationServerKey: key.buffer },
    toJSON: () => ({ endpoint: "https://push.example/1" }),
    unsubscribe: async () => world.done.push("unsubscribed"),
  };
}

beforeEach(async () => {
  world = { listeners: {}, pages: [], tray: [], done: [], sent: [], device: null, status: 200 };
  const pushManager = {
    getSubscription: async () => world.device,
    subscribe: async (options) => {
      world.done.push(options);
      return makeDevice();
    },
  };
  globalThis.self = {
    addEventListener: (type, listener) => { world.listeners[type] = listener; },
    clients: {
      matchAll: async () => world.pages,
      openWindow: async (address) => world.done.push(`opened ${address}`),
    },
    registration: { pushManager, showNotification: async (title, options) => world.tray.push([title, options]) },
  };
  globalThis.location = { href: "https://cards.example/static/js/table/worker.js" };
  globalThis.fetch = async (address, { method = "GET", body, headers } = {}) => {
    world.sent.push([method, address, body, headers?.["X-CSRFToken"]]);
    return { ok: world.status === 200, json: async () => ({ key: "BPv_", token: "t" }) };
  };
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  await import(`../../static/js/table/worker.js?${Math.random()}`);
});

async function dispatch(type, event = {}) {
  let work;
  world.listeners[type]({ ...event, waitUntil: (promise) => { work = promise; } });
  await work;
}

const push = () => dispatch("push", { data: { json: () => CALL } });

test("a push message is shown with the table's address, and again for each turn", async () => {
  await push();
  const options = { body: "Spring Cup", lang: "en", tag: "turn", renotify: true, data: { address: TABLE } };
  assert.deepEqual(world.tray, [["Your turn", options]]);
});

test("nothing is shown to a player who is looking at the table", async () => {
  world.pages = [{ url: `${TABLE}?text=1`, visibilityState: "visible" }];
  await push();
  assert.deepEqual(world.tray, []);
  world.pages = [{ url: `${TABLE}`, visibilityState: "hidden" }, { url: "https://cards.example/", visibilityState: "visible" }];
  await push();
  assert.equal(world.tray.length, 1);
});

test("a tap opens the table or shows its page again", async () => {
  const touch = () => dispatch("notificationclick", { notification: { close: () => world.done.push("closed"), data: { address: TABLE } } });
  await touch();
  assert.deepEqual(world.done, ["closed", `opened ${TABLE}`]);
  world.done = [];
  world.pages = [{ url: TABLE, visibilityState: "hidden", focus: async () => world.done.push("focused") }];
  await touch();
  assert.deepEqual(world.done, ["closed", "focused"]);
});

const POSTED = ["POST", "/accounts/push/", '{"endpoint":"https://push.example/1"}', "t"];
const ASKED = ["GET", "/accounts/push/", undefined, undefined];

test("turning on the bell subscribes the device with the site's key", async () => {
  await dispatch("message", { data: { bell: true } });
  assert.deepEqual(world.done, [{ userVisibleOnly: true, applicationServerKey: "BPv_" }]);
  assert.deepEqual(world.sent, [ASKED, POSTED]);
});

test("a subscription for the same key is reused, and one for an older key is replaced", async () => {
  world.device = makeDevice();
  await dispatch("message", { data: { bell: true } });
  assert.deepEqual([world.done, world.sent], [[], [ASKED, POSTED]]);
  world.device = makeDevice(Uint8Array.from([4, 1]));
  await dispatch("pushsubscriptionchange");
  assert.deepEqual(world.done, ["unsubscribed", { userVisibleOnly: true, applicationServerKey: "BPv_" }]);
});

test("no device is subscribed without push messages or a sign-in", async () => {
  world.status = 404;
  await dispatch("message", { data: { bell: true } });
  assert.deepEqual([world.done, world.sent], [[], [ASKED]]);
});

test("turning off the bell unsubscribes the device", async () => {
  await dispatch("message", { data: { bell: false } });
  assert.deepEqual([world.done, world.sent], [[], []]);
  world.device = makeDevice();
  await dispatch("message", { data: { bell: false } });
  assert.deepEqual(world.done, ["unsubscribed"]);
  assert.deepEqual(world.sent, [ASKED, ["DELETE", ...POSTED.slice(1)]]);
});
