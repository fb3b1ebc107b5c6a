import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  announcementLifeMs,
  isExpired,
  isUsable,
  readAnnouncement,
} from '../../../../src/app/workers/announcement.ts';

const now = Date.UTC(2026, 0, 15);
const read = (renewedEpochMs: string) =>
  readAnnouncement('0d3c', `{"version":"0.1.0","renewedEpochMs":${renewedEpochMs}}`);

test('an announcement at a time that no date can have is unusable', () => {
  for (const time of ['1e300', '8.64e15', '-1', '1e999', 'null', '"1"']) {
    const one = read(time);
    if (isUsable(one)) assert.doesNotThrow(() => new Date(one.renewedEpochMs).toISOString(), time);
    assert.equal(isUsable(one), time === '8.64e15', time);
  }
});

test('an announcement of a version with lines of its own, or one that holds too much, is unusable', () => {
  for (const version of ['1\\nforged', '1\\u001b[2J', 'x'.repeat(101), ''])
    assert.equal(isUsable(readAnnouncement('0d3c', `{"version":"${version}","renewedEpochMs":1}`)), false);
  assert.equal(isUsable(readAnnouncement('0d3c', '['.repeat(1_000_000))), false);
});

test('an announcement expires after a day, and one of a day to come is no better', () => {
  for (const [apartMs, expected] of [
    [0, false],
    [announcementLifeMs - 1, false],
    [announcementLifeMs + 1, true],
    [-announcementLifeMs + 1, false],
    [-announcementLifeMs - 1, true],
  ] as const) {
    const one = read(String(now - apartMs));
    assert.ok(isUsable(one));
    assert.equal(isExpired(one, now), expected, String(apartMs));
  }
});
