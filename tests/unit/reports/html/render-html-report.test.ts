import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import type { Comparison, Summary } from '../../../../src/core/model/summary.ts';
import { diagnosisFixture, explainedSummary } from '../../../support/diagnosis-fixture.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const empty: Partial<Summary> = { comparisons: [], sessions: [], headline: [] };

/** What a reader sees, without script, style and data. */
async function wordsOf(summary: Summary): Promise<string> {
  const text = await renderHtmlReport(summary);
  return text
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

describe('the HTML report', () => {
  test('holds headline, scorecard, comparisons, environment, congestion control, troubles and the command', async () => {
    const words = await wordsOf(summaryFixture());
    for (const part of [
      'slower over HTTP/3 than over HTTP/2',
      'Scorecard',
      'Page load time',
      'newreno',
      'Example CPU',
      'came over h2 instead of h3',
      'h2h3 run web --repetitions 8',
      'What this run shows, and what not',
    ]) {
      assert.ok(words.includes(part), part);
    }
  });

  test('the navigation names what is on the page, in its order, and nothing that this run leaves out', async () => {
    for (const [changes, expected] of [
      [{}, ['scorecard', 'why', 'cost', 'comparisons', 'trust']],
      [empty, ['comparisons', 'trust']],
    ] as const) {
      const text = await renderHtmlReport({ ...summaryFixture(), ...changes });
      const bar = /<nav aria-label="Sections"[^]*?<\/nav>/.exec(text)?.[0] ?? '';
      const named = [...bar.matchAll(/href="#([\w-]+)"/g)].map(([, id = '']) => id);
      const places = named.map((id) => text.indexOf(` id="${id}"`));
      assert.deepEqual(named, expected);
      assert.ok(!places.includes(-1), named.join(', '));
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
    }
  });

  test('refers to nothing outside itself and carries no inline style or handler', async () => {
    const text = (await renderHtmlReport(summaryFixture())).replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '');
    assert.doesNotMatch(text, /<(?:link|img|script|iframe)[^>]+(?:src|href)="(?!data:,"|#)/);
    assert.doesNotMatch(text, /\s(?:style|on\w+)="/);
  });

  test('says in the same words everywhere that the servers begin unlike, and never that nothing else differs', async () => {
    const place = { client: 'chromium', network: 'cable', server: 'caddy', trials: 6, isLeast: false };
    const sentence = 'HTTP/3 from Caddy begins with 40 kB, HTTP/2 with 15 kB';
    const command = 'h2h3 run web --arm h2 --arm h3 --arm h2+initialwindow=32';
    const words = await wordsOf({
      ...summaryFixture(),
      firstFlights: [
        {
          ...place,
          arm: 'h2',
          packets: [10, 10],
          bytes: [15_000, 15_000],
          roundPackets: [10, 20, 40],
          largestBurstBytes: [15_000, 30_000],
          acksPerPacket: [0.42, 0.5],
        },
        { ...place, arm: 'h3', packets: null, bytes: null, roundPackets: [], why: 'a reason' },
      ],
      unlikeFirstFlights: [{ sentence, command, minutes: 6 }],
    });
    // Why, Trust, and what the run does not show.
    assert.equal(words.split(sentence).length - 1, 3);
    assert.equal(words.split('(about 6 min on this machine)').length - 1, 3, 'each names the run');
    assert.ok(!words.includes('Nothing else is known to differ'));
    assert.match(
      words,
      /npx h2h3 run web --arm h2 .*--arm h2\+initialwindow=32 \(about 6 min on this machine\)/,
    );
    assert.match(
      words,
      /First flight of each server .*10, 20, 40 15 kB to 30 kB 0\.42 to 0\.5 .*not known: a reason/,
    );
  });

  test('shows every measurement of a path that was measured again', async () => {
    const fixture = summaryFixture();
    const environment = fixture.environment ?? assert.fail();
    const measured = {
      quantity: 'rate',
      unit: 'Mbit/s',
      expected: 100,
      measured: 99,
      tolerance: 2,
      ok: true,
    };
    const check = { direction: 'down' as const, ...measured, measurements: [93.4, 99.1, 99.3, 99] };
    const networks = environment.networks.map((network) => ({ ...network, checks: [check] }));
    assert.match(
      await wordsOf({ ...fixture, environment: { ...environment, networks } }),
      /99 Mbit\/s \(of 93\.4, 99\.1, 99\.3, 99\)/,
    );
  });

  test('leads from what is worse to where it comes from, with the causes that were named', async () => {
    const fixture = summaryFixture();
    const [first] = fixture.comparisons;
    assert.ok(first);
    const { workload, client, network, server, baseline, candidate } = first;
    const arms = { baselineArm: baseline.arm, candidateArm: candidate.arm };
    const place = { workload, metric: 'pltMs', client, network, server, ...arms, stages: [] };
    const cause = { id: 'packet-loss', title: 'packets are lost on the way', stages: ['transfer'], ms: 95 };
    const timed = { differenceMs: 90, interval: [80, 100] as [number, number], blocks: 8 };
    const explained = { ...place, differenceMs: 100, timed, parts: [], unexplainedMs: 100 };
    const text = await renderHtmlReport({
      ...fixture,
      comparisons: [{ ...first, verdict: 'worse' }],
      diagnosis: [{ ...explained, causes: [{ ...cause, evidence: 'packets lost, %: 0 before, 2 <after>' }] }],
    });
    assert.match(text, /<a href="#why-pooled"[^>]*><span class="verdict v-worse">/);
    assert.match(text, /<article class="diagnosis" id="why-pooled"/);
    assert.match(text, /<section id="why"/);
    assert.match(
      text,
      /<strong>Packets are lost on the way<\/strong>: [^<]* of the difference \(.*0 before, 2 &lt;after&gt;/,
    );
  });

  test('shows everything that was recorded of a difference, and brings what draws flame graphs only then', async () => {
    const summary = explainedSummary(summaryFixture());
    const words = await wordsOf(summary);
    for (const part of [
      'HTTP/3 takes 1240 ms longer than HTTP/2',
      'Stage after stage',
      'What the server waited for',
      'CPU time of the client’s networking process, by symbols of sampled stacks',
      'Chunks that came too late',
      'came slower than it plays',
    ])
      assert.ok(words.includes(part), part);
    const drawn = /d3-flame-graph-label.*d3-flame-graph-label/s; // in the style sheet, and in the library
    assert.match(await renderHtmlReport(summary), drawn);
    assert.doesNotMatch(await renderHtmlReport(explainedSummary(summary, { flameGraphs: [] })), drawn);
  });

  test('a worse comparison that nothing explains leads to the section, and further explanations fold', async () => {
    const fixture = summaryFixture();
    const [first] = fixture.comparisons;
    assert.ok(first);
    const worse: Comparison = { ...first, verdict: 'worse' };
    const diagnosis = Array.from({ length: 6 }, (_, i) =>
      diagnosisFixture({ ...first, workload: `page-${90 + i}` }),
    );
    const text = await renderHtmlReport({ ...fixture, comparisons: [worse], diagnosis });
    assert.match(text, /<a href="#why" title[^>]*><span class="verdict v-worse">/);
    assert.match(text, /<details class="more-diagnoses"><summary>2 further differences<\/summary>/);
    assert.equal(text.match(/<article class="diagnosis"/g)?.length, 6);
  });

  test('a hundred differences with all their recordings make a page below 3 MB that says what it left out', async () => {
    const summary = summaryFixture({ pages: 100, blocks: 6, videos: 0, downloads: 0 });
    const diagnosis = summary.comparisons
      .filter(({ metric }) => metric === 'pltMs')
      .map((comparison) => diagnosisFixture(comparison));
    assert.ok(diagnosis.length >= 100);
    const text = await renderHtmlReport({ ...summary, diagnosis });
    assert.ok(Buffer.byteLength(text) < 3_000_000, `${Buffer.byteLength(text)} bytes`);
    assert.match(text, /"leftOut":\["the time lines"/);
  });

  test('says in words why there is nothing to compare', async () => {
    const summary = { ...summaryFixture(), ...empty };
    const none = { ok: 0, invalid: 9, failed: 1, unsupported: 0, notRun: 0 };
    assert.match(await wordsOf({ ...summary, trials: none }), /No trial was valid/);
    const unrun = { ok: 0, invalid: 0, failed: 0, unsupported: 0, notRun: 10 };
    assert.match(await wordsOf({ ...summary, trials: unrun, troubles: [] }), /No trial has run yet/);
    const one = { ...summary.run, arms: ['h2'], candidateArm: '' };
    assert.match(await wordsOf({ ...summary, run: one }), /only one arm \(h2\)/);
    assert.match(await wordsOf({ ...summary, environment: null }), /nothing is known of the machine/);
  });

  test('says which workloads are second visits and what those had from the first', async () => {
    const place = { workload: 'page-a@repeat', client: 'chromium', network: 'loopback', server: 'caddy' };
    const figures = { trials: 8, cachedObjectCount: 17, objectCount: 1 };
    const words = await wordsOf({
      ...summaryFixture(),
      secondVisits: [
        { ...place, arm: 'h2', ...figures, resumedHostShare: 0 },
        { ...place, arm: 'h3', ...figures, resumedHostShare: null },
      ],
    });
    assert.match(words, /Second visits\s+View: repeat/);
    assert.match(words, /page-a@repeat.*HTTP\/2\s+8\s+17\s+1\s+0\S*\s%.*HTTP\/3\s+8\s+17\s+1\s+not logged/s);
    assert.doesNotMatch(await wordsOf(summaryFixture()), /Second visits/);
  });

  test('numbers that are null, NaN or infinite are shown as missing and never as such', async () => {
    const summary = summaryFixture();
    const broken = summary.comparisons.map((comparison, i): Comparison => ({
      ...comparison,
      baseline: { ...comparison.baseline, median: i % 2 === 0 ? null : NaN, quartiles: null },
      ratio: [null, NaN, Infinity, 0][i % 4] ?? null,
      ratioInterval: i % 3 === 0 ? null : [NaN, Infinity],
      difference: null,
      differenceInterval: null,
      pValue: NaN,
      adjustedPValue: null,
      values: comparison.values.map(([block], j) => [block, j % 2 === 0 ? null : NaN, null]),
    }));
    const words = await wordsOf({
      ...summary,
      comparisons: broken,
      run: { ...summary.run, spanMs: NaN, startedAt: null },
    });
    assert.doesNotMatch(words, /NaN|Infinity|undefined|\bnull\b/);
    assert.match(words, /no estimate/);
  });

  test('ten thousand warnings and troubles are gathered and cut, with their count', async () => {
    const summary = summaryFixture({ troubles: 10_000 });
    const alike = Array.from({ length: 5000 }, (_, i) => `warning number ${i}`);
    const letters = (i: number): string =>
      [...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const different = Array.from({ length: 5000 }, (_, i) => `warning ${letters(i)}`);
    const text = await renderHtmlReport({ ...summary, warnings: [...different, ...alike] });
    assert.match(text, /10\u202f000 warnings/);
    assert.match(text, /The first 200 of 10\u202f000 are shown/);
    assert.match(text, /warning number 0 to 4999 <small class="times">5(?:\u202f)?000 times/);
    assert.match(text, /The first 200 of 5001 kinds are shown/);
    assert.ok(!text.includes('warning number 1<') && !text.includes(`warning ${letters(4999)}`));
    assert.match(text, /<b class="num">3333<\/b> failed: deadline/);
    assert.ok(text.length < 1_500_000);
  });
});
