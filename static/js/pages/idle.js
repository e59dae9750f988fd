// Keeps a hall screen on, and hides its controls while no one uses them.
import { makeAwake } from "../table/awake.js";

const IDLE_MS = 5000;
let timer = 0;

function wake() {
  document.body.classList.remove("idle");
  clearTimeout(timer);
  timer = window.setTimeout(() => document.body.classList.add("idle"), IDLE_MS);
}

for (const kind of ["pointermove", "pointerdown", "keydown", "focusin"]) document.addEventListener(kind, wake);
wake();

const awake = makeAwake();
const stayAwake = () => awake(true);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
