import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { changingNetworks } from '../../../../harness/network/changing-networks.ts';
import { prepareDirection, scheduleText } from '../../../../harness/network/emulator-settings.ts';
import type { Ipv6State } from '../../../../src/core/factors/families.ts';
import { coursesOf, scheduleOf } from '../../../../harness/network/path-schedules.ts';
import { pathStart } from '../../../../harness/network/path-traces.ts';
import { expectedMbps, transferTimeoutMs } from '../../../../harness/network/transfer-timeout.ts';
import {
  directionSpecSchema,
  networkSpecSchema,
  type NetworkSpec,
} from '../../../../src/core/model/network-spec.ts';
import { courseOf } from '../../../../src/core/model/schedule-course.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const noTraces = { up: null, down: null };
const repeating = courseOf([{ atMs: 0, forMs: 500, lossPercent: 10, everyMs: 20_000 }], null);
const once = courseOf([{ atMs: 3000, forMs: 2000, outage: true }], null);

test('the emulator gets ns, bit/s and shares, and -1 for what the direction has itself', () => {
  assert.equal(
    scheduleText(once.once),
    '0 -1 -1 -1 -1 0 0 0 0\n3000000000 -1 -1 -1 -1 1 0 0 0\n5000000000 -1 -1 -1 -1 0 0 0 0\n',
  );
  assert.equal(
    scheduleText([{ startMs: 0, rateMbps: 12, delayMs: 2.5, jitterMs: 1, lossPercent: 50 }]),
    '0 12000000 2500000 1000000 0.5 0 0 0 0\n',
  );
  assert.equal(
    scheduleText([{ startMs: 0, lostPackets: 3, lostOfEach: 2, lostTailAfterBytes: 90_000 }]),
    '0 -1 -1 -1 -1 0 3 2 90000\n',
  );
});

test('the length of a round is said behind its steps', async (t) => {
  const file = `${tempFolder(t)}/a, b=c`;
  const direction = directionSpecSchema.parse({ delayMs: 5 });
  const given = { direction, trace: null, marking: 'none' } as const;
  const settings = await prepareDirection(file, { ...given, course: repeating });
  assert.ok(settings.endsWith(`\nrepeating=${file}.repeating\nrepeating-length=20000000000`), settings);
  assert.ok((await prepareDirection(file, { ...given, course: once })).endsWith(`\nonce=${file}.once`));
  assert.ok(!(await prepareDirection(file, { ...given, course: null })).includes('once'));
});

test('what is set of IPv6 is told in the emulator’s words', async (t) => {
  const direction = directionSpecSchema.parse({ delayMs: 5 });
  const given = { direction, trace: null, course: null, marking: 'none' } as const;
  const settings = async (ipv6?: Ipv6State) =>
    prepareDirection(tempFolder(t), { ...given, ...(ipv6 === undefined ? {} : { ipv6 }) });
  assert.match(await settings('broken'), /\nv6-broken=1$/);
  assert.match(await settings({ laterMs: 1.5 }), /\nv6-delay=1500000$/);
  assert.doesNotMatch(await settings(), /v6/);
});

test('what repeats begins where the block says, alike for all its arms; what comes once is never shifted', () => {
  const courses = { up: once, down: repeating };
  assert.deepEqual(pathStart(noTraces, '', 17, courses), pathStart(noTraces, '', 17, courses));
  const starts = Array.from({ length: 100 }, (_, seed) => pathStart(noTraces, '', seed, courses));
  const offsetsMs = starts.map(({ line }) => Number(line.split(' ')[3]) / 1e6);
  assert.ok(Math.min(...offsetsMs) < 3000 && Math.max(...offsetsMs) > 17_000, 'offsets do not spread');
  for (const { schedule } of starts) {
    assert.deepEqual(schedule?.up, [{ fromMs: 3000, toMs: 5000, outage: true }]);
    assert.ok((schedule?.down.length ?? 0) >= 45);
  }
  const own = pathStart(noTraces, '', 17, { ...courses, fromStart: true });
  assert.match(own.line, /^start 17 \d+ 0$/);
  assert.match(pathStart(noTraces, '', 17).line, /^start 17 \d+$/);
  assert.equal(scheduleOf({ up: null, down: null }, 1, 1000), null);
});

test('networks that change can be followed, and no transfer over one of them is cut off too soon', async () => {
  assert.ok(changingNetworks.length >= 6);
  for (const spec of changingNetworks) {
    const courses = await coursesOf(spec);
    assert.ok((courses.down?.roundMs ?? 0) > 0, spec.id);
    assert.match(spec.source, /Measured|Assumed/, spec.id);
  }
});

test('a transfer is given the time in which nothing passes, and the mean of a rate that changes', async (t) => {
  const way = { rateMbps: 10, queueBytes: 64_000, delayMs: 10 };
  const specOf = (down: object) =>
    networkSpecSchema.parse({ id: 'n', title: 'n', source: 't', up: way, down: { ...way, ...down } });
  const changesOf = async (spec: NetworkSpec) => ({ traces: noTraces, courses: await coursesOf(spec) });
  const timeoutMs = async (spec: NetworkSpec) => transferTimeoutMs(spec, await changesOf(spec), 1_000_000);
  const out = specOf({ schedule: [{ atMs: 3000, forMs: 2000, outage: true }] });
  assert.equal(await timeoutMs(out), (await timeoutMs(specOf({}))) + 10_000);
  const slow = specOf({ schedule: [{ atMs: 5000, forMs: 5000, rateMbps: 2, everyMs: 10_000 }] });
  assert.equal(expectedMbps(slow, await changesOf(slow)), 6);
  const scheduleFile = `${tempFolder(t)}/road.csv`;
  writeFileSync(scheduleFile, 't_ms,rate_mbps,delay_ms,loss_percent\n0,1,,\n5000,0.5,,\n');
  const road = specOf({ scheduleFile });
  assert.equal(expectedMbps(road, await changesOf(road)), 0.75);
});
