// Lets names be dragged with a mouse or a pen. On touch screens, dragging scrolls the page, so names are tapped
// instead.

const FAR = 6; // px before a press becomes a drag

/** When a name is dropped, call `drop` with its player and the place under the pointer.
 * @param {HTMLElement} root @param {string} places a selector
 * @param {(player: string, place: HTMLElement) => void} drop */
export function draggable(root, places, drop) {
  /** @type {{ chip: HTMLElement, x: number, y: number, ghost: HTMLElement|null }|null} */
  let held = null;

  /** @param {PointerEvent} event */
  const under = (event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return /** @type {HTMLElement|null} */ (found?.closest(places) ?? null);
  };

  /** @param {HTMLElement|null} place */
  function mark(place) {
    for (const each of document.querySelectorAll(".over")) each.classList.remove("over");
    if (place && place !== held?.chip) place.classList.add("over");
  }

  /** @param {HTMLElement} chip */
  function lift(chip) {
    const ghost = /** @type {HTMLElement} */ (chip.cloneNode(true));
    ghost.classList.add("ghost");
    ghost.removeAttribute("data-player");
    document.body.append(ghost);
    return ghost;
  }

  function end() {
    held?.ghost?.remove();
    if (held) mark(null);
    held = null;
  }

  /** @param {PointerEvent} event */
  function down(event) {
    /** @type {HTMLElement|null} */
    const chip = /** @type {Element} */ (event.target).closest("[data-player]");
    if (!chip || event.pointerType === "touch" || event.button !== 0) return;
    held = { chip, x: event.clientX, y: event.clientY, ghost: null };
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (!held) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) held.ghost = lift(held.chip);
    if (!held.ghost) return;
    event.preventDefault();
    held.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    mark(under(event));
  }

  /** @param {PointerEvent} event */
  function up(event) {
    const [place, player] = [under(event), held?.ghost && held.chip.dataset.player];
    const chip = held?.chip;
    end();
    if (!player || !place || place === chip) return;
    drop(player, place);
  }

  root.addEventListener("pointerdown", down);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", end);
}
