import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf } from '../../../../src/analyse/answers/answers.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { Answer } from '../../../../src/core/model/answer.ts';
import { liveNetwork } from '../../../../src/core/model/live-address.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import type { GeneratedRunOptions } from '../../../support/generated-run.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { changingTracks, playedTracks } from '../../../support/played-tracks.ts';

const download = { id: 'download-100mb', kind: 'download' } as const;
const video = { id: 'video', kind: 'video' } as const;

function summaryOf(
  options: GeneratedRunOptions,
  network = '4g',
  clients: readonly string[] = ['chromium'],
): Summary {
  const { plan, records } = generateRun({
    ...options,
    networks: [network],
    plan: { command: 'h2h3 run web --out x --budget 3m', ...options.plan },
  });
  const environment = environmentFixture(clients, [network]);
  const networks = environment.networks.map((one) => ({
    ...one,
    description: '4G while walking, 89 ms round trip',
  }));
  return summarise(plan, records, { ...environment, networks }, []);
}

function onlyAnswer({ answers }: Summary): Answer {
  const [answer] = answers;
  assert.ok(answer !== undefined && answers.length === 1, `${answers.length} answers`);
  return answer;
}

test('a decided run says what users get, how sure it is by its interval, and what to do', () => {
  const sooner = onlyAnswer(summaryOf({ slowdown: { h3: 0.9 } }));
  assert.match(
    sooner.sentence,
    /^Over 4G while walking, with HTTP\/3 instead of HTTP\/2, your pages open \d+ % sooner\. The mean load takes \d+ ms less\. 95(\.\d)? % interval [\d.]+ % to \d+ % shorter\.$/,
  );
  assert.deepEqual([sooner.action, sooner.command], ['do', null]);
  assert.equal(onlyAnswer(summaryOf({ slowdown: { h3: 1.2 } })).action, 'do-not');
});

test('where servers begin unlike, the next step of a decided answer measures how much of it that is', () => {
  const { plan, records } = generateRun({
    slowdown: { h3: 0.9 },
    networks: ['4g'],
    plan: { command: 'h2h3 run web' },
  });
  const environment = environmentFixture(['chromium'], ['4g']);
  const { comparisons, run } = summarise(plan, records, environment, []);
  const command = 'h2h3 run web --arm h2 --arm h3 --arm h2+initialwindow=32';
  const flights = { sentence: 'They begin unlike', baselineArm: 'h2', candidateArm: 'h3', minutes: 6 };
  const answerWith = (told: Parameters<typeof answersOf>[0]['unlikeFirstFlights']): Answer | undefined =>
    answersOf({ plan, comparisons, environment, run, oneSided: [], unlikeFirstFlights: told })[0];
  const asked = answerWith([{ ...flights, command }]);
  assert.deepEqual([asked?.action, asked?.command, asked?.minutes], ['do', command, [6, 6]]);
  assert.match(asked?.advice ?? '', /^Offer HTTP\/3 .* One more run measures how much of that comes from/);
  for (const other of [
    { ...flights, command: null },
    { ...flights, command, candidateArm: 'h1' },
  ])
    assert.deepEqual([answerWith([other])?.command, answerWith([other])?.minutes], [null, null]);
});

test('without a network nothing is advised but to measure over one, with the command', () => {
  const answer = onlyAnswer(summaryOf({ slowdown: { h3: 1.2 } }, 'none'));
  assert.match(answer.sentence, /^Without any network delay or loss, /);
  assert.equal(answer.action, 'measure-network');
  assert.equal(answer.command, 'h2h3 run web --budget 3m --network 4g');
});

test('a live address is measured over the path there: no other network is advised, which it could not have', () => {
  const { plan, records } = generateRun({ slowdown: { h3: 0.8 }, networks: [liveNetwork] });
  const live = { ...environmentFixture(['chromium'], []), networks: [] };
  const summary = summarise(plan, records, live, []);
  const answer = onlyAnswer(summary);
  assert.match(answer.sentence, /^Over the real path, with HTTP\/3 instead of HTTP\/2, your pages open/);
  assert.deepEqual([answer.action, answer.command], ['do', null]);
  assert.match(summary.headline.join(' '), /the real path/);
});

test('an open question says how many minutes and which command would decide it, also after too few blocks', () => {
  for (const blocks of [3, 8]) {
    const answer = onlyAnswer(summaryOf({ blocks, noise: 0.15, seed: 4 }));
    assert.equal(answer.action, 'measure-more', answer.sentence);
    assert.match(answer.sentence, /Not decided/);
    assert.match(answer.advice, /^Load time is not decided\. More blocks may decide it\.$/);
    assert.match(answer.command ?? '', /^h2h3 run web --repetitions \d+ --budget \d+m$/);
    const [, repetitions, budget] = /--repetitions (\d+) --budget (\d+)m/.exec(answer.command ?? '') ?? [];
    assert.ok(Number(repetitions) > blocks, `${repetitions} blocks are more than ${blocks}`);
    assert.ok(answer.minutes !== null && Number(budget) >= answer.minutes[1], 'the budget has room for it');
  }
});

test('where nothing but lost trials stands against a verdict, the advice says so', () => {
  const answer = onlyAnswer(
    summaryOf({
      blocks: 9,
      slowdown: { h3: 0.8 },
      alter: (record) =>
        record.arm === 'h3' && [0, 3, 6].includes(record.blockIndex)
          ? { ...record, status: 'invalid', reason: 'x', metrics: {} }
          : record,
    }),
  );
  assert.equal(answer.action, 'measure-more', answer.sentence);
  assert.match(
    answer.advice,
    /^Load time is not decided\. 6 trials were lost, and could turn it\. More blocks/,
  );
});

test('where it is not known what the instrument adds, that is to be measured first, and no more blocks', () => {
  const { plan, records } = generateRun({ slowdown: { h3: 0.8 } });
  const summary = summarise(
    { ...plan, live: { block: ['/ads/'] } },
    records,
    environmentFixture(['chromium'], ['cable']),
    [],
  );
  const answer = onlyAnswer(summary);
  assert.equal(answer.action, 'measure-more', answer.sentence);
  assert.match(
    answer.advice,
    /First measure what is missing, then run again: what --block adds to each protocol was not measured\.$/,
  );
  assert.deepEqual([answer.command, answer.minutes], ['h2h3 calibrate --recording --client chromium', null]);
});

/** The answers of an open run of eight blocks that took so long, with other estimates of the blocks that each primary comparison needs. */
function answersWith(hours: number, needed: readonly ([number, number] | null)[]): Answer[] {
  const workloads = needed.map((_, index) => ({ id: `download-${index}`, kind: 'download' as const }));
  const { plan, records } = generateRun({ workloads, networks: ['4g'], noise: 0.15 });
  const environment = environmentFixture(['chromium'], ['4g']);
  const { comparisons, run } = summarise(plan, records, environment, []);
  const open = comparisons.filter(({ primary }) => primary);
  assert.ok(open.length === needed.length && open.every(({ verdict }) => verdict === 'inconclusive'));
  return answersOf({
    plan,
    comparisons: open.map((comparison, index) => ({ ...comparison, blocksNeeded: needed[index] ?? null })),
    environment,
    run: { ...run, command: 'h2h3 run download', spanMs: hours * 3_600_000 },
    oneSided: [],
  });
}

test('more than 200 blocks are said with their time, and no command is advised that would hardly decide', () => {
  const [answer] = answersWith(1, [null]);
  assert.equal(answer?.action, 'measure-more');
  assert.match(
    answer.advice,
    /A decision may need more than 200 blocks, about 25 hours here\. Ask a narrower/,
  );
  assert.deepEqual([answer.command, answer.minutes], [null, null]);
  assert.match(answersWith(0.01, [null])[0]?.advice ?? '', /may need more than 200 blocks\. Ask a narrower/);
});

test('where more blocks may decide one comparison and not the other, the command is for the one', () => {
  const [answer] = answersWith(0.1, [[10, 20], null]);
  assert.match(answer?.advice ?? '', /More blocks may decide a part\. One comparison may need more than 200/);
  assert.match(answer?.command ?? '', /--repetitions 20 /);
});

test('a next command that takes hours is preceded by their number', () => {
  const [answer] = answersWith(2, [[16, 40]]);
  assert.match(answer?.advice ?? '', /More blocks may decide it, in about 4 hours\./);
  assert.match(answer?.command ?? '', /--repetitions 16 /);
});

test('many versions that came out alike are one sentence', () => {
  const clients = ['123', '131', '138', '148', '153'].map((version) => `chromium@${version}`);
  const one = generateRun({ workloads: [download], networks: ['4g'], slowdown: { h3: 1.6 } });
  const each = <T extends { trialId: string }>(all: readonly T[]): T[] =>
    clients.flatMap((client) =>
      all.map((part) => ({ ...part, client, trialId: `${client} ${part.trialId}` })),
    );
  const plan = {
    ...one.plan,
    conditions: clients.flatMap((client) => one.plan.conditions.map((part) => ({ ...part, client }))),
    trials: each(one.plan.trials),
  };
  const summary = summarise(plan, each(one.records), environmentFixture(clients, ['4g']), []);
  assert.match(
    onlyAnswer(summary).sentence,
    /your downloads get .* lower throughput in all 5 versions of Chromium\.$/,
  );
});

test('video speaks of what a viewer feels before it speaks of throughput', () => {
  const { sentence } = onlyAnswer(summaryOf({ workloads: [video], slowdown: { h3: 1.3 } }));
  assert.match(
    sentence,
    /your viewers wait .* longer for the first picture.*\. Your videos get .* lower throughput\. [\d.]+ % interval .* lower\.$/,
  );
});

test('where viewers notice nothing of it, the advice says so', () => {
  const equal = (record: TrialRecord): TrialRecord => {
    const metrics: TrialMetrics = { ...record.metrics };
    metrics['startupDelayMs'] = 400;
    metrics['stallTotalMs'] = 0;
    metrics['playedSeconds'] = 3600;
    return playedTracks({ ...record, metrics }, changingTracks);
  };
  const felt = onlyAnswer(summaryOf({ workloads: [video], slowdown: { h3: 1.3 } }));
  const unfelt = onlyAnswer(summaryOf({ workloads: [video], slowdown: { h3: 1.3 }, alter: equal }));
  assert.doesNotMatch(felt.advice, /notice no difference/);
  assert.match(unfelt.advice, /^Viewers notice no difference here\. .* keep this video on HTTP\/2/);
});

test('a pool whose sites disagree names those at both ends', () => {
  const pages = Array.from({ length: 6 }, (_, i) => ({ id: `page-${i}`, kind: 'page' as const }));
  const { plan, records } = generateRun({
    workloads: pages,
    networks: ['4g'],
    plan: { workloads: pages.map((page, i) => ({ ...page, title: `Shop ${i}` })) },
    alter: (record) => {
      const { pltMs } = record.metrics;
      const factor = record.arm === 'h3' ? 0.8 + 0.09 * Number(record.workload.slice(5)) : 1;
      const metrics: TrialMetrics = { ...record.metrics };
      if (typeof pltMs === 'number') metrics['pltMs'] = pltMs * factor;
      return { ...record, metrics };
    },
  });
  const answer = onlyAnswer(summarise(plan, records, environmentFixture(['chromium'], ['4g']), []));
  assert.equal(answer.action, 'by-workload');
  assert.match(answer.sentence, /Shop 0 opens 2\d % sooner, Shop 5 opens 2\d % later/);
});
