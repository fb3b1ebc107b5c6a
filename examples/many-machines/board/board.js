// bull-board for the leases of runs that are under way: npm install && REDIS=redis://lab:6379 node board.js [port]
// It only shows: to run a lease again, as a queue lets one do, would put one block on two hosts.
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Queue } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';

/** Not an argument: those every user of the machine can read, and it may hold a password. */
const url = process.env.REDIS ?? 'redis://127.0.0.1:6379';
const [port = '3000'] = process.argv.slice(2);
/** Who can reach it sees everything: give another address only behind something that asks who is there. */
const host = process.env.BOARD_HOST ?? '127.0.0.1';
const pollEveryMs = 2_000;

const connection = new Redis(url, { maxRetriesPerRequest: null });
connection.on('error', ({ message }) => console.error(`the queue: ${message}`));
const serverAdapter = new ExpressAdapter();
const board = createBullBoard({ queues: [], serverAdapter });
const shown = new Map();

/** Runs come and go; `h2h3:runs` names those that are under way. */
async function look() {
  const runs = await connection.hkeys('h2h3:runs');
  for (const run of runs) {
    if (shown.has(run)) continue;
    const queue = new Queue(`h2h3-${run}`, { connection });
    queue.on('error', () => undefined); // told by the connection
    const adapter = new BullMQAdapter(queue, { readOnlyMode: true });
    shown.set(run, { queue, adapter });
    board.addQueue(adapter);
  }
  for (const [run, { queue, adapter }] of shown) {
    if (runs.includes(run)) continue;
    board.removeQueue(adapter);
    shown.delete(run);
    await queue.close();
  }
}

async function poll() {
  try {
    await look();
  } catch ({ message }) {
    console.error(`the queue: ${message}`);
  }
  setTimeout(poll, pollEveryMs);
}

const app = express();
app.use('/', serverAdapter.getRouter());
app.listen(Number(port), host, () => console.log(`http://${host}:${port}/`));
await poll();
