import assert from 'node:assert/strict';
import { minPlayedSeconds } from '../../../src/core/metrics/rare-events.ts';
import { after, test } from 'node:test';
import { preparedWorkloadSchema } from '../../../src/core/model/workload.ts';
import { describeLadders, videoWorkloadNamed, videoWorkloads } from '../../../video/index.ts';
import { sessionProfiles } from '../../../video/session-profiles.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { videoContext } from '../../support/video-context.ts';

const workloads = videoWorkloads();
/** One for all, so that each film is encoded once. */
const cacheDir = tempFolder({ after: (cleanup) => after(cleanup as () => void) });

test('every workload has a name of its own, among them those of the presets', () => {
  const ids = workloads.map((workload) => workload.id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of [
    'video-padded-1s-bba',
    'video-padded-2s-bba',
    'video-padded-4s-rate',
    'video-ci-1s-bba',
  ]) {
    assert.ok(ids.includes(id), id);
  }
});

test('every session is a whole number of chunks, so what is fetched is what is played', () => {
  for (const { playSeconds } of sessionProfiles) {
    for (const ladder of describeLadders()) {
      for (const chunkSeconds of ladder.chunkSeconds) assert.equal(playSeconds % chunkSeconds, 0);
    }
  }
});

test('the default session is as long as a verdict about stalls and quality asks', () => {
  assert.ok((sessionProfiles[0]?.playSeconds ?? 0) >= minPlayedSeconds);
});

test('a prepared workload fits the contract and names both hosts', async () => {
  const workload = workloads.find(({ id }) => id === 'video-ci-2s-rate');
  const prepared = await workload?.prepare(videoContext(cacheDir));
  const { roots, entry, loggedHosts } = preparedWorkloadSchema.parse(prepared);
  assert.deepEqual(
    roots.map((root) => root.host),
    ['player.h2h3.test', 'media.h2h3.test'],
  );
  assert.deepEqual(loggedHosts, ['media.h2h3.test']);
  assert.ok('path' in entry && entry.path.startsWith('/page/index.html?manifest=ci-2s-'));
});

test('a film with sound fetches more than the same without, and its title says so', () => {
  const [silent, heard] = ['', '-sound'].map((sound) =>
    videoWorkloadNamed(`video-streaming-1080p${sound}-2s-dynamic`),
  );
  assert.equal(silent?.title.startsWith('1080p film up to 6 Mbit/s, '), true);
  assert.equal(heard?.title.startsWith('1080p film with sound up to 6 Mbit/s, '), true);
  assert.ok((heard.transfer?.bytes ?? 0) > (silent.transfer?.bytes ?? Infinity));
  assert.equal(
    (heard.facts.objectCount ?? 0) - (silent.facts.objectCount ?? 0),
    31,
    'a segment for each chunk, and how they begin',
  );
});

test('the description of the ladders is plain JSON with every track', () => {
  const padded = describeLadders().find((ladder) => ladder.id === 'padded');
  assert.deepEqual(JSON.parse(JSON.stringify(padded)), padded);
  assert.equal(padded?.tracks.at(-1)?.representation, '200000k');
});

test('a session that is not listed can be named by its words', async () => {
  const workload = videoWorkloadNamed('video-ci-2s-rate-8s-2players-cross-buffer6-start2');
  assert.equal(workload?.id, 'video-ci-2s-rate-8s-2players-cross-buffer6-start2');
  assert.match(workload.title, /8 s, 2 players at once, next to a download/);
  const { entry, loggedHosts } = await workload.prepare(videoContext(cacheDir));
  assert.deepEqual(loggedHosts, ['media.h2h3.test', 'media-2.h2h3.test', 'cross.h2h3.test']);
  assert.ok('path' in entry);
  const query = new URLSearchParams(entry.path.split('?')[1]);
  assert.deepEqual(
    ['play', 'buffer', 'start', 'abr'].map((name) => query.get(name)),
    ['8', '6', '2', 'rate'],
  );
});

test('every listed session is also found by its words', () => {
  for (const { id, title } of workloads.filter((one) => one.id.startsWith('video-ci-2s')))
    assert.equal(videoWorkloadNamed(id)?.title, title, id);
});

for (const id of [
  'video-nothing-2s-bba',
  'video-ci-3s-bba',
  'video-ci-2s-bba-5s',
  'video-ci-2s-bba-0s',
  'video-ci-2s-bba-9players',
  'video-ci-2s-bba-buffer2-start2',
  'video-ci-2s-bba-loud',
  'video-ci-2s-nothing',
])
  test(`${id} names no session`, () => {
    assert.equal(videoWorkloadNamed(id), undefined);
  });

test('a broadcast has hosts of its own, so that one run can have it and files beside it', async () => {
  const context = videoContext(cacheDir);
  const prepare = async (id: string): Promise<string[]> =>
    (await videoWorkloadNamed(id)?.prepare(context))?.loggedHosts ?? [];
  assert.deepEqual(await prepare('video-ci-2s-lolp-live-4s-2players'), [
    'live.h2h3.test',
    'live-2.h2h3.test',
  ]);
  assert.deepEqual(await prepare('video-ci-2s-lolp-4s'), ['media.h2h3.test']);
});

test('how far behind a broadcast its player stays stands in its name', async () => {
  const workload = videoWorkloadNamed('video-ci-2s-lolp-live-delay1500ms-4s');
  assert.match(workload?.title ?? '', /live, 1500 ms behind, 4 s/);
  const { entry } = (await workload?.prepare(videoContext(cacheDir))) ?? {};
  assert.ok(entry !== undefined && 'path' in entry);
  assert.equal(new URLSearchParams(entry.path.split('?')[1]).get('live'), '1500');
  for (const wrong of ['-delay1500ms', '-live-delay0ms', '-live-delay60000ms'])
    assert.equal(videoWorkloadNamed(`video-ci-2s-lolp${wrong}`), undefined, wrong);
});

test('a relay of MoQ stands beside a broadcast with numbered frames where an arm plays by it', async () => {
  const players = [{ name: 'moqwatch', exact: 'moqwatch@0.4.6', file: import.meta.filename }];
  const context = videoContext(cacheDir, { players, moqPython: () => Promise.resolve('/tools/python') });
  const hostsOf = async (id: string): Promise<string[]> =>
    (await videoWorkloadNamed(id)?.prepare(context))?.roots.map(({ host }) => host) ?? [];
  assert.ok((await hostsOf('video-clock-1s-own-live-4s')).includes('moq.h2h3.test'));
  assert.ok(!(await hostsOf('video-ci-1s-own-live-4s')).includes('moq.h2h3.test'));
  const applies = (id: string): readonly string[] | undefined => videoWorkloadNamed(id)?.applies;
  assert.deepEqual(applies('video-clock-1s-own-live'), ['player']);
  for (const other of ['video-clock-1s-bba-live', 'video-clock-1s-own-live-2players', 'video-ci-1s-own-live'])
    assert.equal(applies(other), undefined, other);
});

test('where chunks are held back one program answers for the media of all arms, and a broadcast has none to hold', async () => {
  const mediaOrigin = async (id: string, holdsChunks: boolean): Promise<string | undefined> => {
    const prepared = await videoWorkloadNamed(id)?.prepare(videoContext(cacheDir, { holdsChunks }));
    const media = prepared?.roots.find(({ host }) => /^(?:media|live)\./.test(host));
    return media?.origin?.command[1]?.replace(/^.*\//, '');
  };
  assert.equal(await mediaOrigin('video-ci-1s-bba-4s', false), undefined);
  assert.equal(await mediaOrigin('video-ci-1s-bba-4s', true), 'serve-held.ts');
  assert.equal(await mediaOrigin('video-ci-1s-own-live-4s', true), 'serve-broadcast.ts');
  assert.deepEqual(videoWorkloadNamed('video-ci-1s-bba-4s')?.applies, ['fault']);
});

test('a session is named as a viewer would, each with a name of its own', () => {
  assert.equal(
    videoWorkloadNamed('video-paper-2s-bba')?.title,
    '4K film up to 200 Mbit/s, 2 s chunks, quality: buffer-based, BBA-0',
  );
  const all = videoWorkloads();
  assert.equal(new Set(all.map(({ title }) => title)).size, all.length);
  for (const { id, title } of all) assert.doesNotMatch(title, /DASH|ABR|undefined/, id);
});

test('no workload asks for a track that its ladder has not', () => {
  for (const { id, tracks } of describeLadders()) {
    const ranks = workloads.flatMap((workload) => {
      const rank = new RegExp(`^video-${id}-\\d+s-fixed(?<rank>\\d+)`).exec(workload.id)?.groups?.['rank'];
      return rank === undefined ? [] : [Number(rank)];
    });
    assert.deepEqual(
      [...new Set(ranks)].toSorted(),
      tracks.map((_, index) => index + 1),
      id,
    );
  }
  assert.equal(videoWorkloadNamed('video-streaming-720p-2s-fixed7-180s'), undefined);
  assert.notEqual(videoWorkloadNamed('video-streaming-720p-2s-fixed5-180s'), undefined);
});

test('sessions of a minute whose tracks differ in their pictures are decided by what viewers see', () => {
  const decidedBy = (id: string): string | undefined => videoWorkloadNamed(id)?.decidedBy;
  assert.equal(decidedBy('video-streaming-720p-2s-dynamic'), 'qoeVmaf');
  assert.equal(decidedBy('video-streaming-720p-2s-dynamic-12s'), undefined, 'too short to see a stall');
  assert.equal(decidedBy('video-padded-2s-bba'), undefined, 'its tracks differ in bitrate alone');
  assert.equal(decidedBy('video-streaming-720p-2s-dynamic-live'), undefined, 'made anew as it goes on');
});
