import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { networkSpecs } from '../../../../harness/network/registry.ts';
import { primaryFamilies } from '../../../../src/analyse/forecast/decidability.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { expectedMs, scaleTimes } from '../../../../src/app/plan/scale-times.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { minPlayedSeconds } from '../../../../src/core/metrics/rare-events.ts';
import { metricDefinition } from '../../../../src/core/metrics/registry.ts';
import { scaleNames } from '../../../../src/plan/plan-file.ts';
import { publishedPlaces } from '../../../../src/analyse/studies/published-places.ts';
import { studyFigure } from '../../../../src/analyse/studies/study-figures.ts';
import { allPresets, experiments } from '../../../../src/app/presets/registry.ts';
import { textAt, type PublishedFigure } from '../../../../src/core/model/published.ts';
import type { FigureCell, FigureSpec } from '../../../../src/core/model/study-figure.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';

type Scale = (typeof scaleNames)[number];

const planned = new Map<string, ReturnType<typeof planFromRequest>>();

/** To expand a study takes tens of ms, and several tests look at each. */
function expanded(id: string, scale: Scale): ReturnType<typeof planFromRequest> {
  const key = `${id} ${scale}`;
  const known = planned.get(key) ?? planFromRequest(readPlanRequest(id, { scale }), 'test');
  planned.set(key, known);
  return known;
}

/** Which browser `best` is depends on the machine; any of its family is what a run of it has. */
const chromiumFamily = ['chrome', 'chromium', 'embedded', 'edge', 'opera'];

function resolved(result: PublishedFigure): PublishedFigure {
  const { clients } = result;
  return clients?.some((name) => chromiumFamily.includes(name)) === true
    ? { ...result, clients: [...clients, 'best'] }
    : result;
}

function withBest(figure: FigureSpec): FigureSpec {
  const any = (cell: FigureCell): FigureCell =>
    Array.isArray(cell.client) && cell.client.some((name) => chromiumFamily.includes(name))
      ? { ...cell, client: [...cell.client, 'best'] }
      : cell;
  return { ...figure, x: figure.x.map(any), series: figure.series.map(any) };
}

for (const { preset: id, needs } of experiments().filter((experiment) => experiment.needs === undefined))
  for (const scale of scaleNames)
    test(`${id} at scale ${scale} can decide, over networks that exist, with figures that belong to it`, () => {
      assert.equal(needs, undefined);
      const { plan } = expanded(id, scale);
      const families = primaryFamilies(plan);
      assert.ok(plan.exploratory || families.every(({ canDecide }) => canDecide), JSON.stringify(families));
      const known = [...networkSpecs, ...(plan.customNetworks ?? [])].map((network) => network.id);
      const used = new Set(plan.conditions.map(({ network }) => network));
      for (const network of used) assert.ok(known.includes(network), network);
      const kinds = new Set(plan.workloads.map(({ kind }) => kind));
      assert.ok(plan.published !== undefined && plan.published.length > 0);
      for (const { metric } of plan.published)
        assert.ok(
          metricDefinition(metric)?.kinds.some((kind) => kinds.has(kind)),
          metric,
        );
    });

test('every published result has its comparison in a plan of its experiment, and every series of a figure its cells', () => {
  for (const { preset, figures } of experiments()) {
    const runs = scaleNames.map((scale) => plannedStudyRun(expanded(preset, scale).plan, { blocks: 1 }));
    const { published = [] } = expanded(preset, 'paper').plan;
    for (const result of published) {
      // A phone is named on the command line alone.
      if (result.clients?.includes('android') === true) continue;
      const places = runs.flatMap(({ cells, arms }) => publishedPlaces(resolved(result), cells, arms));
      assert.ok(places.length > 0, `${preset}: ${result.experiment}`);
    }
    for (const figure of figures) {
      const drawn = runs.map((run) => studyFigure(withBest(figure), run));
      const names = figure.kind === 'states' ? [] : figure.series.map(({ name }) => name);
      for (const name of names)
        assert.ok(
          drawn.some(
            ({ series, cells, shares }) =>
              cells.length + shares.length > 0 ||
              series.some((one) => one.name === name && one.points.length + one.values.length > 0),
          ),
          `${preset}: ${figure.title}, ${name}`,
        );
    }
  }
});

test('claims about what only recorded trials give are run in plans that record enough blocks', () => {
  for (const { preset } of experiments()) {
    const { plan } = expanded(preset, 'quick');
    for (const { metric, expects, experiment } of plan.published ?? [])
      assert.ok(
        expects === undefined ||
          metricDefinition(metric)?.needsInstrumentation !== true ||
          plan.recordedBlocks === 'all',
        `${preset}: ${experiment}`,
      );
  }
});

/** Experiments of which each scale has a size of its own in the line that says how the set-ups differ. */
const sizesThatDiffer = [
  ['kakhki2017-fairness', /body of (\d+) MB/, /^download-(\d+)mb$/],
  ['zhang2024-video', /session of (12 s|a minute)/, /^video-(?:padded|paper)-.*?(-12s)?$/],
  ['kakhki2017-video', /sessions of (12 s|a minute)/, /^video-streaming-.*?(-12s)?$/],
] as const;

test('how a set-up differs is said for the scale that was run', () => {
  for (const [id, said, written] of sizesThatDiffer)
    for (const scale of scaleNames) {
      const { plan } = expanded(id, scale);
      const differs = textAt(experiments().find(({ preset }) => preset === id)?.differs, scale) ?? '';
      const [, size] = said.exec(differs) ?? [];
      const [, own] = written.exec(plan.workloads[0]?.id ?? '') ?? [];
      const wanted = own === '-12s' ? '12 s' : (own ?? 'a minute');
      assert.equal(size, wanted, `${id} ${scale}: ${differs}`);
    }
});

test('results that hang on nginx’s sender are run from both of its senders, and claimed of the study’s alone', () => {
  for (const id of ['liu2025-single', 'liu2025-multi', 'liu2025-pages', 'liu2025-proxy']) {
    const { plan } = expanded(id, 'standard');
    const servers = new Set(plan.conditions.map(({ server }) => server));
    assert.deepEqual([...servers].toSorted(), ['nginx', 'nginx@1.30'], id);
    for (const { expects, servers: claimed, experiment } of plan.published ?? [])
      if (expects !== undefined) assert.deepEqual(claimed, ['nginx'], experiment);
  }
});

test('an address is lost through the proxy too, over both protocols', () => {
  const { plan } = expanded('liu2025-migration', 'standard');
  const { cells, arms } = plannedStudyRun(plan, { blocks: 1 });
  const through = (plan.published ?? []).filter(({ compare }) => JSON.stringify(compare).includes('+proxy='));
  assert.deepEqual(
    through.map((result) => [result.expects, publishedPlaces(result, cells, arms).length]),
    [
      ['better', 1],
      ['equivalent', 3],
    ],
  );
});

test('quick scales leave no more than a third of the claims unmeasured', () => {
  const claims = experiments()
    .filter(({ question }) => question === undefined)
    .flatMap(({ preset }) => {
      const { plan } = expanded(preset, 'quick');
      const { cells, arms } = plannedStudyRun(plan, { blocks: 1 });
      return (plan.published ?? [])
        .filter(({ expects, countedIn }) => expects !== undefined && countedIn === undefined)
        .map((result) => publishedPlaces(resolved(result), cells, arms).length > 0);
    });
  assert.ok(claims.length > 60, `${claims.length} claims`);
  assert.ok(
    claims.filter((isThere) => !isThere).length < claims.length / 3,
    `${claims.filter((isThere) => !isThere).length} of ${claims.length}`,
  );
});

test('times of pages are judged from timed trials, and Speed Index from blocks of which each is recorded', () => {
  for (const scale of scaleNames) {
    for (const id of ['zhang2024-web', 'kakhki2017-pages']) {
      const { plan } = expanded(id, scale);
      const [family] = primaryFamilies(plan);
      assert.deepEqual(
        [family?.instrumentation, family?.blocks],
        ['uninstrumented', plan.repetitions],
        `${id} ${scale}`,
      );
      assert.ok(plan.trials.some(({ instrumentation }) => instrumentation === 'instrumented'));
    }
    const { plan } = expanded('liu2025-pages', scale);
    const [family] = primaryFamilies(plan);
    assert.deepEqual(
      [plan.recordedBlocks, family?.instrumentation, family?.metric],
      ['all', 'instrumented', 'speedIndexMs'],
    );
  }
});

test('the studies have 24 experiments, each with a plan of its own at every scale', () => {
  const isOfStudies = ({ question }: { readonly question?: string | undefined }): boolean =>
    question === undefined;
  assert.equal(experiments().filter(isOfStudies).length, 24);
  const names = experiments().flatMap(({ id, preset }) => [id, preset]);
  assert.equal(new Set(names).size, 2 * experiments().length);
  for (const { id, experiment, scales } of allPresets().filter((preset) => preset.experiment !== undefined))
    assert.deepEqual(Object.keys(scales ?? {}), scaleNames, `${id}: ${experiment?.id}`);
});

test('the docs of the studies name every experiment, and stay readable', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/studies.md'), 'utf8');
  for (const { id } of experiments().filter(({ question }) => question === undefined))
    assert.match(page, new RegExp(`\\b${id}\\b`), id);
  assert.ok(page.split(/\s+/).length <= 4000);
});

test('the scales grow, and each says its time', async () => {
  for (const { id, scales } of allPresets().filter((preset) => preset.scales !== undefined)) {
    assert.ok(scales !== undefined);
    const times = await Promise.all(scaleNames.map((scale) => expectedMs(expanded(id, scale))));
    assert.deepEqual(
      times.toSorted((a, b) => a - b),
      times,
      id,
    );
    assert.match((await scaleTimes(id)).join('\n'), /--scale quick: .*about \d[^]*--scale paper: .*about \d/);
  }
  assert.deepEqual(await scaleTimes('web'), []);
});

/** Of a plan whose sessions last a minute: fewer blocks, or shorter sessions, could decide nothing. */
const videoMinutes = 15;

test('the quick scale of none takes longer than 12 minutes, of video 15, and all of them fit an evening', async () => {
  const runnable = experiments().filter(({ needs }) => needs === undefined);
  const minutes = await Promise.all(
    runnable.map(async ({ preset }) => (await expectedMs(expanded(preset, 'quick'))) / 60_000),
  );
  for (const [index, { id, preset }] of runnable.entries()) {
    const isVideo = expanded(preset, 'quick').plan.workloads.every(({ kind }) => kind === 'video');
    assert.ok((minutes[index] ?? Infinity) <= (isVideo ? videoMinutes : 12), `${id}: ${minutes[index]} min`);
  }
  const all = runnable.reduce(
    (sum, { question }, index) => (question === undefined ? sum + (minutes[index] ?? 0) : sum),
    0,
  );
  assert.ok(all > 60 && all <= 150, `${all} min`);
});

test('a scale that is none, or of something that has none, is refused', () => {
  for (const [source, scale] of [
    ['zhang2024-video', 'huge'],
    ['web', 'quick'],
    [undefined, 'quick'],
  ] as const)
    assert.throws(
      () => readPlanRequest(source, { scale }),
      (error) => error instanceof H2h3Error && error.code === 'usage',
    );
});

test('no scale plays less than a minute of video: shorter sessions show nothing of stalls and quality', () => {
  const players = experiments().filter(({ preset }) =>
    expanded(preset, 'quick').plan.workloads.some(({ kind }) => kind === 'video'),
  );
  assert.ok(players.length >= 3);
  for (const { preset } of players)
    for (const scale of scaleNames)
      for (const { exposure, id } of expanded(preset, scale).workloads.filter(({ kind }) => kind === 'video'))
        assert.ok((exposure?.playedSeconds ?? 0) >= minPlayedSeconds, `${preset} ${scale} ${id}`);
});

test('from scale standard on the studies’ video has their tracks, chunks, networks and, where they say it, their length', () => {
  const planOf = (
    id: string,
    scale: Scale,
  ): { workloads: string[]; networks: string[]; lossPercents: Set<number> } => {
    const { plan } = expanded(id, scale);
    const networks = [...new Set(plan.conditions.map(({ network }) => network))].toSorted();
    const links = (plan.customNetworks ?? []).filter((network) => networks.includes(network.id));
    const lossPercents = new Set(links.flatMap(({ up, down }) => [up.lossPercent, down.lossPercent]));
    return { workloads: plan.workloads.map(({ id: workload }) => workload), networks, lossPercents };
  };
  for (const scale of ['standard', 'paper'] as const) {
    const zhang = planOf('zhang2024-video', scale);
    const rules = ['bba', 'rate'].flatMap((rule) =>
      [1, 2, 4].map((seconds) => `video-paper-${seconds}s-${rule}`),
    );
    assert.deepEqual(zhang.workloads.toSorted(), rules.toSorted());
    const traces = ['4g', '5g'].flatMap((generation) =>
      ['driving', 'walking'].flatMap((way) => [1, 2].map((trace) => `zhang-${generation}-${way}-${trace}`)),
    );
    assert.deepEqual(zhang.networks, ['ethernet-1g', ...traces]);
    const shreedhar = planOf('shreedhar2022-video', scale);
    assert.deepEqual(
      [...shreedhar.lossPercents].toSorted((a, b) => a - b),
      [0, 1, 5, 10],
    );
    const lengths = expanded('shreedhar2022-video', scale).workloads.map(
      ({ exposure }) => exposure?.playedSeconds,
    );
    assert.deepEqual(lengths, [180]);
    const tracks = ladderNamed('streaming').tracks.map((_, index) => `video-streaming-2s-fixed${index + 1}`);
    assert.deepEqual(planOf('kakhki2017-video', scale).workloads, tracks);
  }
  assert.deepEqual(
    ladderNamed('paper').tracks.map(({ bitrateKbps, height }) => [bitrateKbps / 1000, height]),
    [20, 40, 80, 120, 160, 200].map((mbps) => [mbps, 2160]),
  );
});
