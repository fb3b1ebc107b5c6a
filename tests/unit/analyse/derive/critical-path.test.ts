import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageStages, type PageStages } from '../../../../src/analyse/derive/critical-path.ts';
import type { Har, HarEntry, HarTimings } from '../../../../src/core/model/har.ts';
import type { PageTimings } from '../../../../src/core/model/raw-trial.ts';

const originEpochMs = Date.UTC(2026, 0, 1);

interface Asked {
  readonly startMs: number;
  readonly timings: Partial<HarTimings>;
  readonly by?: object;
}

function entry(path: string, { startMs, timings, by }: Asked): HarEntry {
  const all = { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0, ...timings };
  const time = [all.blocked, all.dns, all.connect, all.send, all.wait, all.receive]
    .filter((ms) => ms > 0)
    .reduce((sum, ms) => sum + ms, 0);
  return {
    startedDateTime: new Date(originEpochMs + startMs).toISOString(),
    time,
    request: { method: 'GET', url: `https://a.test${path}` },
    timings: all,
    _initiator: by ?? { type: 'other' },
  } as unknown as HarEntry;
}

function har(...entries: HarEntry[]): Har {
  return { log: { entries } } as unknown as Har;
}

function timings(loadEventEndMs: number, loadEventStartMs = loadEventEndMs): PageTimings {
  return { timeOriginEpochMs: originEpochMs, loadEventStartMs, loadEventEndMs } as PageTimings;
}

function totalMs(stages: PageStages | null): number {
  return Object.values<number>({ ...stages }).reduce((sum, ms) => sum + ms, 0);
}

const page = entry('/', {
  startMs: 10,
  timings: { blocked: 5, dns: 2, connect: 20, ssl: 15, wait: 30, receive: 40 },
});

test('the stages along the path add up to the load time', () => {
  const script = entry('/a.js', {
    startMs: 120,
    timings: { blocked: 50, wait: 25, receive: 100 },
    by: { type: 'parser', url: 'https://a.test/#top' },
  });
  const image = entry('/b.png', { startMs: 110, timings: { wait: 10, receive: 20 } });
  const stages = pageStages(timings(320, 310), har(page, script, image));
  // 10 before the first request, 107 its end, 13 to the script, 295 its end, 25 to the end of the load event.
  assert.deepEqual(stages, {
    connection: 22,
    firstByte: 55,
    queueing: 55,
    transfer: 140,
    processing: 10 + 13 + 25,
  });
});

test('what is asked for before its document has ended takes the path from there', () => {
  const early = entry('/early.css', {
    startMs: 80,
    timings: { wait: 60 },
    by: { type: 'parser', url: 'https://a.test/' },
  });
  const stages = pageStages(timings(140), har(page, early));
  // Of the document's transfer (67 to 107) only what came before the style sheet was asked for.
  assert.equal(stages?.transfer, 13);
  assert.equal(totalMs(stages), 140);
});

test('a script names what it fetched by the top of its stack', () => {
  const script = entry('/a.js', { startMs: 107, timings: { wait: 10 }, by: { url: 'https://a.test/' } });
  const other = entry('/c.png', { startMs: 107, timings: { wait: 30 }, by: { url: 'https://a.test/' } });
  const data = entry('/data.json', {
    startMs: 150,
    timings: { wait: 50 },
    by: { type: 'script', stack: { callFrames: [{ url: 'https://a.test/a.js' }] } },
  });
  const stages = pageStages(timings(200), har(page, script, other, data));
  assert.equal(stages?.processing, 10 + 33, 'from the end of the script, not of the image');
});

test('what is asked for after the load event, by the browser itself, or not at all is no part of it', () => {
  const late = entry('/late.png', { startMs: 400, timings: { wait: 100 } });
  const icon = entry('/favicon.ico', { startMs: 90, timings: { wait: 200 } });
  const stages = pageStages(timings(300), har(page, icon, late));
  assert.equal(stages?.processing, 10 + 193);
});

test('without a load event, timings or requests there are no stages', () => {
  assert.equal(pageStages(timings(0), har(page)), null);
  assert.equal(pageStages(null, har(page)), null);
  assert.equal(pageStages(timings(100), har()), null);
  assert.equal(pageStages(timings(100), null), null);
});

test('requests that name each other do not walk in circles', () => {
  const a = entry('/a', { startMs: 10, timings: { wait: 50 }, by: { url: 'https://a.test/b' } });
  const b = entry('/b', { startMs: 10, timings: { wait: 60 }, by: { url: 'https://a.test/a' } });
  assert.equal(totalMs(pageStages(timings(100), har(a, b))), 100);
});
