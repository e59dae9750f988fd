/* Simulation of many players at tables of boardgame.io in one process, like bench/screens.py. Reads
 * a plan as JSON from standard input and prints a JSON object for each phase. A screen keeps the
 * latest state and sends the messages of boardgame.io's client, but does not compute moves as that
 * does. */
const fs = require("node:fs");
const { io } = require("socket.io-client");

const SEATS = 4;
const LOST_MS = 10_000;
const plan = JSON.parse(fs.readFileSync(0, "utf8"));
const now = () => performance.now();
let counted;
let period = -1;

function begin() {
  counted = { arrivals: [], players: [], acks: [], refused: {}, lost: 0, gone: 0, acted_for: 0, closed: 0 };
  Object.assign(counted, { views: 0, bytes: 0 }); // not measured for boardgame.io
}

async function ask(path, body) {
  const answer = await fetch(`${plan.url}/games/cards/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

class Table {
  pending = false;
  sentAt = 0;
  seen = -1;

  async open() {
    const { matchID } = await ask("create", { numPlayers: SEATS });
    this.id = matchID;
    // One by one and before anyone connects, because the lobby would otherwise lose players with a
    // database.
    const seats = [];
    for (let seat = 0; seat < SEATS; seat += 1) {
      const playerID = String(seat);
      seats.push([playerID, await ask(`${this.id}/join`, { playerID, playerName: `Player ${playerID}` })]);
    }
    this.screens = await Promise.all(seats.map((seat) => this.sit(...seat)));
  }

  async sit(playerID, joined) {
    const screen = { table: this, playerID, credentials: joined.playerCredentials, shown: -1 };
    screen.socket = io(`${plan.url}/cards`, { transports: ["websocket"], forceNew: true });
    await new Promise((resolve) => {
      screen.socket.on("connect", () =>
        screen.socket.emit("sync", this.id, playerID, screen.credentials, SEATS),
      );
      screen.socket.on("sync", (_match, info) => {
        screen.state = info.state;
        resolve();
      });
      screen.socket.on("update", (_match, state) => this.heard(screen, state));
      screen.socket.on("disconnect", () => (counted.closed += 1));
    });
    return screen;
  }

  heard(screen, state) {
    screen.state = state;
    if (screen.shown < this.seen && this.seen < state._stateID) {
      screen.shown = this.seen;
      const took = now() - this.sentAt;
      counted.arrivals.push(took);
      counted.players.push(took);
      if (screen === this.actor) {
        counted.acks.push(took);
        this.pending = false;
      }
    }
    if (period === 0 && !this.pending) this.act();
  }

  act() {
    if (this.pending && now() - this.sentAt < LOST_MS) return;
    counted.lost += this.pending;
    this.pending = false;
    const screen = this.screens.find(
      ({ state, playerID }) => state.ctx.currentPlayer === playerID && state._stateID > this.seen,
    );
    if (!screen) return;
    const { G, _stateID } = screen.state;
    const { hand } = G.players[screen.playerID];
    const fitting = [...hand.keys()].filter((at) => hand[at][0] === G.top[0] || hand[at][1] === G.top[1]);
    const index = fitting[Math.floor(Math.random() * fitting.length)];
    const move = fitting.length ? { type: "play", args: [index] } : { type: "draw", args: [] };
    const payload = { ...move, playerID: screen.playerID, credentials: screen.credentials };
    [this.actor, this.pending, this.sentAt, this.seen] = [screen, true, now(), _stateID];
    screen.socket.emit("update", { type: "MAKE_MOVE", payload }, _stateID, this.id, screen.playerID);
  }
}

function used() {
  const fields = fs.readFileSync(`/proc/${plan.pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / plan.ticks;
}

const tell = (found) => new Promise((resolve) => process.stdout.write(`${JSON.stringify(found)}\n`, resolve));
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** Acts at each table once per period, spread evenly over the period. */
async function play(tables) {
  for (let at = 0; ; ) {
    if (period <= 0) {
      await pause(0.02);
      if (period === 0) tables.forEach((table) => table.act());
      continue;
    }
    const due = Math.max(1, Math.round((tables.length * 0.02) / period));
    for (let i = 0; i < due; i += 1) tables[(at + i) % tables.length].act();
    at += due;
    await pause((period * due) / tables.length);
  }
}

async function main() {
  begin();
  const tables = Array.from({ length: plan.tables }, () => new Table());
  for (let at = 0; at < tables.length; at += 10) {
    await Promise.all(tables.slice(at, at + 10).map((table) => table.open()));
  }
  void play(tables);
  for (const phase of plan.phases) {
    begin();
    period = phase.period;
    const [before, began, own] = [used(), now(), process.cpuUsage()];
    await pause(phase.seconds);
    const took = (now() - began) / 1000;
    const spent = process.cpuUsage(own);
    const driver = (spent.user + spent.system) / 1e6;
    await tell({ name: phase.name, took, used: used() - before, driver, ...counted });
  }
  process.exit(0);
}

void main();
