// A name is dragged with the mouse or a pen; fingers scroll, and press names instead.

const FAR = 6; // px before a press becomes a drag

/** Call `drop(player, place)` with the element under the pointer when a name is let go there.
 * @param {HTMLElement} root @param {string} places a selector
 * @param {(player: string, place: HTMLElement) => void} drop */
export function draggable(root, places, drop) {
  /** @type {{ chip: HTMLElement, x: number, y: number, ghost: HTMLElement|null }|null} */
  let held = null;

  const under = (event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return /** @type {HTMLElement|null} */ (found?.closest(places) ?? null);
  };

  function mark(place) {
    for (const each of document.querySelectorAll(".over")) each.classList.remove("over");
    if (place && place !== held.chip) place.classList.add("over");
  }

  function lift() {
    const ghost = /** @type {HTMLElement} */ (held.chip.cloneNode(true));
    ghost.classList.add("ghost");
    ghost.removeAttribute("data-player");
    document.body.append(ghost);
    held.ghost = ghost;
  }

  function end() {
    held?.ghost?.remove();
    if (held) mark(null);
    held = null;
  }

  function down(event) {
    const chip = event.target.closest("[data-player]");
    if (!chip || event.pointerType === "touch" || event.button !== 0) return;
    held = { chip, x: event.clientX, y: event.clientY, ghost: null };
  }

  function move(event) {
    if (!held) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) lift();
    if (!held.ghost) return;
    event.preventDefault();
    held.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    mark(under(event));
  }

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
