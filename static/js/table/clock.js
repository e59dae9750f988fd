// The clock of whoever is to act, and how long who is away is still waited for, by this page's
// own time since the view came. Pure.

/** The running clock, or null. Times in ms; `until` is when the table acts, `share` (0 to 1) what
 * is left of what runs now: the turn time, or after it the bank.
 * @returns {{seat: number, left: number, bank: number, until: number, inBank: boolean, share: number}|null} */
export function clockNow({ view, seenAt }, now) {
  const { clock } = view;
  if (!clock) return null;
  const { bank_ms: had = 0, bank_total_ms: most = 0 } = clock;
  const passed = view.match.paused ? 0 : now - seenAt;
  const left = Math.max(0, clock.left_ms - passed);
  const until = Math.max(0, clock.left_ms + had - passed);
  const bank = Math.min(had, until);
  const inBank = most > 0 && (Boolean(clock.in_bank) || (left === 0 && had > 0));
  return { seat: clock.seat, left, bank, until, inBank, share: inBank ? bank / most : left / clock.total_ms };
}

export const inSeconds = (ms) => Math.ceil(ms / 1000);

/** "14 s", or "2:05" where seconds would be many. */
export function brief(seconds) {
  return seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "14 seconds", and what the bank adds. */
export function clockInWords(clock) {
  if (!clock) return null;
  if (clock.inBank) return `${inSeconds(clock.bank)} seconds of the time bank`;
  const bank = clock.bank ? `, then ${inSeconds(clock.bank)} seconds of the time bank` : "";
  return `${inSeconds(clock.left)} seconds${bank}`;
}

export const isAway = (seat) => !seat.present && !seat.bot && seat.playing;

/** For how many seconds somebody has been away; null for who was never here. */
export function awayFor(seat, { seenAt }, now) {
  return seat.gone_seconds === null ? null : seat.gone_seconds + Math.floor((now - seenAt) / 1000);
}

/** For how many more seconds they are waited for; it runs in their turns. Null: without limit. */
export function awayLeft(seat, { view, seenAt }, now) {
  if (seat.away_left_ms === null || seat.away_left_ms === undefined) return null;
  const runs = view.clock?.seat === seat.seat && !view.match.paused;
  return inSeconds(Math.max(0, seat.away_left_ms - (runs ? now - seenAt : 0)));
}

/** "Ben is away, 40 s left." while it is the turn of somebody who is away, else null. */
export function waitingFor(state, now) {
  const { view } = state;
  const seat = view.match.paused ? undefined : view.seats[view.turn];
  if (!seat || seat.seat === view.you || !isAway(seat)) return null;
  const left = awayLeft(seat, state, now);
  if (left === null) return `${seat.name} is away.`;
  return left ? `${seat.name} is away, ${brief(left)} left.` : `${seat.name} is away: the table acts for them.`;
}

/** Everybody who is away, in words; null for nobody. */
export function awayInWords(state, now) {
  const told = state.view.seats.filter(isAway).map((seat) => {
    const [gone, left] = [awayFor(seat, state, now), awayLeft(seat, state, now)];
    const since = gone === null ? "has not been here yet" : `away for ${gone} seconds`;
    return `${seat.name} ${since}${left === null ? "" : `, waited for ${left} seconds more in this hand`}`;
  });
  return told.join("; ") || null;
}
