import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkSpecSchema, describeNetwork, pathFactsOf } from '../../../../src/core/model/network-spec.ts';
import { courseOf, faultsOfSchedule, stretchesOf } from '../../../../src/core/model/schedule-course.ts';

const way = { rateMbps: 10, queueBytes: 64_000, delayMs: 20 };
const specWith = (down: object) =>
  networkSpecSchema.safeParse({ id: 'n', title: 'n', source: 'a test', up: way, down: { ...way, ...down } });

/** What is wrong, each with its place. */
function complaints(down: object): string[] {
  const { error } = specWith(down);
  return (error?.issues ?? []).map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
}

test('what comes once holds from navigation start, and between items the direction has its own figures', () => {
  const course = courseOf(
    [
      { atMs: 1000, forMs: 500, outage: true },
      { atMs: 1500, delayMs: 40 },
      { atMs: 3000, rateMbps: 5, lossPercent: 1 },
    ],
    null,
  );
  assert.deepEqual(stretchesOf(course, 7777, 5000), [
    { fromMs: 1000, toMs: 1500, outage: true },
    { fromMs: 1500, toMs: 3000, delayMs: 40 },
    { fromMs: 3000, toMs: 5000, rateMbps: 5, lossPercent: 1 },
  ]);
});

test('what repeats begins at its offset and again, and gives way to what comes once', () => {
  const course = courseOf(
    [
      { atMs: 0, forMs: 100, lossPercent: 20, everyMs: 1000 },
      { atMs: 500, forMs: 100, delayMs: 30, everyMs: 1000 },
      { atMs: 550, forMs: 500, lossPercent: 50, delayMs: 5 },
    ],
    null,
  );
  assert.deepEqual(stretchesOf(course, 950, 1200), [
    { fromMs: 50, toMs: 150, lossPercent: 20 },
    { fromMs: 550, toMs: 650, lossPercent: 50, delayMs: 5 },
    { fromMs: 650, toMs: 1050, lossPercent: 50, delayMs: 5 },
    { fromMs: 1050, toMs: 1150, lossPercent: 20 },
  ]);
  const { repeating, roundMs } = course;
  assert.equal(roundMs, 1000);
  assert.deepEqual(
    repeating.map(({ startMs }) => startMs),
    [0, 100, 500, 600],
  );
});

test('a schedule that cannot be is refused with the item and what is wrong about it', () => {
  const cases: readonly (readonly [readonly object[], RegExp])[] = [
    [[{ atMs: 5 }], /^schedule\.0\.atMs: it changes nothing/],
    [[{ atMs: 5, forMs: 5, outage: true, delayMs: 3 }], /^schedule\.0\.outage: nothing passes in an outage/],
    [
      [
        { atMs: 5000, delayMs: 30 },
        { atMs: 2000, delayMs: 40 },
      ],
      /^schedule\.1\.atMs: the schedule goes backwards: 2000 ms after 5000 ms/,
    ],
    [
      [
        { atMs: 1000, forMs: 2000, delayMs: 30 },
        { atMs: 2500, delayMs: 40 },
      ],
      /^schedule\.1\.atMs: 2500 ms is before the end of the item before it, 3000 ms/,
    ],
    [[{ atMs: 0, forMs: 61_000, outage: true }], /^schedule\.0\.forMs: nothing passes for 61000 ms, longer/],
    [[{ atMs: 0, rateMbps: 0 }], /^schedule\.0\.forMs: nothing passes for ever/],
    [[{ atMs: 0, lossPercent: 100 }], /for ever/],
    [
      [
        { atMs: 0, forMs: 5, delayMs: 30, everyMs: 100 },
        { atMs: 50, forMs: 5, delayMs: 30, everyMs: 200 },
      ],
      /^schedule\.1\.everyMs: it repeats every 200 ms, and the item before it every 100 ms/,
    ],
    [
      [
        { atMs: 0, forMs: 40_000, outage: true },
        { atMs: 40_000, forMs: 40_000, rateMbps: 0 },
      ],
      /^schedule\.1\.forMs: nothing passes for 80000 ms/,
    ],
    [[{ atMs: 0, forMs: 1000, outage: true, everyMs: 1000 }], /^schedule\.0\.forMs: .*for ever/],
    [[{ atMs: 0, outage: true, everyMs: 1000 }], /^schedule\.0\.forMs: .*for ever/],
    [
      [
        { atMs: 0, forMs: 35_000, rateMbps: 1e-9, everyMs: 80_000 },
        { atMs: 50_000, forMs: 30_000, lossPercent: 100, everyMs: 80_000 },
      ],
      /^schedule\.0\.forMs: nothing passes for 65000 ms/,
    ],
    [[{ atMs: 0, forMs: 1e-9, outage: true }], /^schedule\.0\.forMs: 1e-9 ms is shorter than 1 ms/],
    [
      [{ atMs: 0, forMs: 1, delayMs: 1, everyMs: 2 }],
      /^schedule\.0\.everyMs: a round of 2 ms changes 2 times, more often than every 10 ms/,
    ],
    [[{ atMs: 90, forMs: 20, delayMs: 30, everyMs: 100 }], /^schedule\.0\.everyMs: it ends after 110 ms/],
    [[{ atMs: 0, delayMs: 5, jitterMs: 9 }], /^schedule\.0\.jitterMs: jitter of 9 ms cannot exceed/],
    [
      [{ atMs: 0, rateMbps: 9000, delayMs: 1000 }],
      /^schedule\.0\.delayMs: 750000 packets would be under way/,
    ],
    [[{ atMs: -1, delayMs: 5 }], /^schedule\.0\.atMs: /],
    [[{ atMs: 1, rateMbps: 20_000 }], /^schedule\.0\.rateMbps: /],
  ];
  for (const [schedule, expected] of cases) {
    const [first = 'nothing'] = complaints({ schedule });
    assert.match(first, expected, JSON.stringify(schedule));
  }
  assert.match(complaints({ rateMbps: 1e-300 })[0] ?? '', /^rateMbps: .*>=0\.001/);
  const free = { rateMbps: null, queueBytes: null, schedule: [{ atMs: 0, rateMbps: 5 }] };
  assert.match(complaints(free)[0] ?? '', /a rate can change where the direction has a rateMbps of its own/);
  const twice = { scheduleFile: 'a.csv', schedule: [{ atMs: 0, forMs: 5, delayMs: 30, everyMs: 100 }] };
  assert.match(complaints(twice)[0] ?? '', /the file repeats/);
});

test('more packets than a path holds are refused where they come from: delay, rate or queue', () => {
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ delayMs: 60_000, rateMbps: 20 }, /^delayMs: 100000 packets would be under way, with 42 in the queue/],
    [{ delayMs: 50_000, schedule: [{ atMs: 0, rateMbps: 20 }] }, /^schedule\.0\.rateMbps: 83333 packets/],
    [{ queueBytes: 200_000_000 }, /^queueBytes: 17 packets would be under way, with 133333 in the queue/],
    [
      { queueBytes: null, queuePackets: 60_000, delayMs: 10_000 },
      /^queuePackets: 8333 packets would be under way, with 60000 in the queue, and the emulator holds 65536/,
    ],
  ];
  for (const [down, expected] of cases) {
    const [first = 'nothing', ...others] = complaints(down);
    assert.match(first, expected);
    assert.deepEqual(others, []);
  }
  assert.deepEqual(complaints({ queueBytes: 98_000_000 }), []);
});

test('the longest silence is allowed, also where it reaches over the end of a round', () => {
  const round = 100_000;
  const items = [
    { atMs: 0, forMs: 30_000, outage: true, everyMs: round },
    { atMs: 70_000, forMs: 30_000, rateMbps: 0, everyMs: round },
    { atMs: 5, forMs: 60_000, outage: true },
  ] as const;
  assert.deepEqual(faultsOfSchedule(items), []);
});

test('a schedule that passes is told in few parts', () => {
  const items = [{ atMs: 0, forMs: 1, lossPercent: 1, everyMs: 20 }];
  assert.deepEqual(faultsOfSchedule(items), []);
  assert.ok(stretchesOf(courseOf(items, null), 0, 900_000).length <= 90_000);
});

test('what comes once and what repeats are judged apart', () => {
  const items = [
    { atMs: 0, forMs: 100, delayMs: 5, everyMs: 1000 },
    { atMs: 50, forMs: 200, delayMs: 5 },
    { atMs: 80, forMs: 500, outage: true, everyMs: 1000 } as const,
  ];
  assert.deepEqual(
    faultsOfSchedule(items).map(({ index }) => index),
    [2],
  );
});

test('a link that follows a schedule varies, and says what it does', () => {
  const { data } = specWith({
    schedule: [
      { atMs: 3000, forMs: 2000, outage: true },
      { atMs: 8000, rateMbps: 5, delayMs: 60 },
      { atMs: 0, forMs: 100, lossPercent: 20, everyMs: 15_000 },
    ],
  });
  assert.ok(data);
  assert.deepEqual(pathFactsOf(data), { roundTripMs: 40, steady: false });
  assert.match(
    describeNetwork(data),
    /nothing passes at 3000 ms for 2000 ms, 5 Mbit\/s and 60 ms one way at 8000 ms, 20 % loss at 0 ms for 100 ms of every 15000 ms$/,
  );
});
