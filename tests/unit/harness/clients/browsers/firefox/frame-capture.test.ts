import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BidiSession } from '../../../../../../harness/clients/browsers/firefox/bidi-connection.ts';
import { FrameCapture } from '../../../../../../harness/clients/browsers/firefox/frame-capture.ts';
import type { RecordedFrames } from '../../../../../../harness/clients/browsers/firefox/recorded-frames.ts';
import type { PageTimings } from '../../../../../../src/core/model/raw-trial.ts';

const timings: PageTimings = {
  timeOriginEpochMs: 1_000_500,
  connectStartMs: 0,
  connectEndMs: 0,
  requestStartMs: 0,
  responseStartMs: 0,
  responseEndMs: 0,
  domContentLoadedMs: 0,
  loadEventEndMs: 100,
  nextHopProtocol: 'h2',
  fcpMs: null,
  lcpMs: null,
  cls: null,
  longTasks: null,
};

/** A capture whose browser hands over `recorded`. */
function captureOf(recorded: RecordedFrames | null): FrameCapture {
  const bidi: Pick<BidiSession, 'evaluate'> = { evaluate: () => Promise.resolve(JSON.stringify(recorded)) };
  return new FrameCapture(bidi as BidiSession);
}

function frame(offsetMs: number, content: string) {
  return { offsetMs, jpegBase64: Buffer.from(content).toString('base64') };
}

test('frames get the time of the page; of those before navigation the last remains, at 0', async () => {
  const frames = [frame(100, 'marker'), frame(300, 'empty'), frame(620.5, 'half'), frame(700, 'whole')];
  const captured = await captureOf({ startedEpochMs: 1_000_000, frames }).stop();
  assert.deepEqual(
    captured.at(timings)?.map(({ tMs, jpeg }) => [tMs, Buffer.from(jpeg).toString()]),
    [
      [0, 'empty'],
      [120.5, 'half'],
      [200, 'whole'],
    ],
  );
  assert.equal(captured.disturbance, undefined);
});

test('without the times of the page no frame has a time, so there are none', async () => {
  const captured = await captureOf({ startedEpochMs: 1_000_000, frames: [frame(1, 'x')] }).stop();
  assert.equal(captured.at(null), null);
});

test('a recording that was given up disturbed the load and says so', async () => {
  const captured = await captureOf(null).stop();
  assert.equal(captured.at(timings), null);
  assert.match(captured.disturbance ?? '', /\d{3,4} MB/);
});
