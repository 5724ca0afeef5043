// boardgame.io with its own server and its own client, in memory: `node peers.js server PORT` or
// `node peers.js load PORT SERVER_PID GAMES MOVES`, which prints what a move costs the server as JSON.
const { readFileSync } = require("fs");

const WARM_UP = 50; // moves of each match before the measuring

const game = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null), placed: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place({ G, playerID }, cell) {
      if (G.placed === 9) {
        G.cells = Array(9).fill(null);
        G.placed = 0;
      }
      if (G.cells[cell] !== null) return "INVALID_MOVE";
      G.cells[cell] = playerID;
      G.placed += 1;
    },
  },
};

function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function serve(port) {
  const { Server } = require("boardgame.io/server");
  const server = Server({ games: [game], origins: ["*"] });
  await server.run({ port, callback: () => console.log("ready") });
}

// The clients of both seats of a match.
function openMatch(port, number) {
  const { Client } = require("boardgame.io/client");
  const { SocketIO } = require("boardgame.io/multiplayer");
  return ["0", "1"].map((playerID) => {
    const client = Client({
      game,
      matchID: `match-${number}`,
      playerID,
      debug: false,
      multiplayer: SocketIO({ server: `http://127.0.0.1:${port}` }),
    });
    client.start();
    return client;
  });
}

// Resolves when the client has been told of that many moves.
function reached(client, moves) {
  return new Promise((done) => {
    const check = (state) => state && state.ctx.turn > moves && done(stop());
    const stop = client.subscribe(check);
    check(client.getState());
  });
}

async function play(seats, first, last) {
  for (let made = first; made < last; made += 1) {
    const told = reached(seats[(made + 1) % 2], made + 1);
    seats[made % 2].moves.place(made % 9);
    await told;
  }
}

async function load(port, pid, games, moves) {
  const matches = Array.from({ length: games }, (_, number) => openMatch(port, number));
  await Promise.all(matches.flat().map((client) => reached(client, 0)));
  await Promise.all(matches.map((seats) => play(seats, 0, WARM_UP)));
  const each = Math.ceil(moves / games);
  const [began, used] = [performance.now(), processorSeconds(pid)];
  await Promise.all(matches.map((seats) => play(seats, WARM_UP, WARM_UP + each)));
  const seconds = (performance.now() - began) / 1000;
  const cpu = processorSeconds(pid) - used;
  console.log(JSON.stringify({ server_cpu_us: (cpu / each / games) * 1e6, moves_per_second: (each * games) / seconds }));
  process.exit(0);
}

const [what, port, ...numbers] = process.argv.slice(2);
if (what === "server") serve(Number(port));
else load(Number(port), ...numbers.map(Number));
