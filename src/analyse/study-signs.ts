import { byArm } from '../model/factor.ts';
import type { Agreement, StudySign } from '../model/studies.ts';
import type { Comparison, Summary } from '../model/summary.ts';
import { sureSide } from './comparison/sure-side.ts';
import { locationTests } from './statistics/location-test.ts';
import { judge } from './study-results.ts';

/** The newest run of each experiment, by its preset. */
type Summaries = ReadonlyMap<string, Summary>;

interface Asked {
  readonly preset: string;
  readonly metric: string;
  readonly clients?: readonly string[];
  readonly workloads?: RegExp;
  readonly networks?: RegExp;
  readonly baseline?: string;
  readonly candidate?: string;
}

/** Whose networking is Chromium's. */
const chromiumFamily = ['chrome', 'chromium', 'embedded', 'edge', 'opera'];
const family = ({ client }: Comparison): string => client.replace(/@.*/, '');

function found(summaries: Summaries, asked: Asked): Comparison[] {
  const { preset, metric, clients, workloads, networks, baseline, candidate } = asked;
  return (summaries.get(preset)?.comparisons ?? []).filter(
    (comparison) =>
      comparison.metric === metric &&
      comparison.ratio !== null &&
      (clients === undefined || clients.includes(family(comparison))) &&
      (workloads === undefined || workloads.test(comparison.workload)) &&
      (networks === undefined || networks.test(comparison.network)) &&
      (baseline === undefined || comparison.baseline.arm === baseline) &&
      (candidate === undefined || comparison.candidate.arm === candidate),
  );
}

const evidenceOf = (comparisons: readonly Comparison[]): StudySign['evidence'] =>
  comparisons.map(({ workload, client, network, baseline, candidate, ratio, ratioInterval }) => ({
    workload,
    network,
    baseline: baseline.arm,
    candidate: candidate.arm,
    client: client === byArm ? (candidate.factors?.client ?? client) : client,
    ratio: ratio ?? 1,
    ratioInterval,
  }));

/** A direction that the comparisons themselves have. */
function directed(words: string, expects: 'better' | 'worse', comparisons: readonly Comparison[]): StudySign {
  const ours = comparisons.map((comparison) => ({ verdict: comparison.verdict, side: sureSide(comparison) }));
  return { words, agreement: judge(expects, ours), evidence: evidenceOf(comparisons) };
}

/** ln of the candidate's value over the baseline's, by block. */
function logRatios({ values }: Comparison): Map<number, number> {
  return new Map(
    values.flatMap(([block, baseline, candidate]) =>
      baseline !== null && candidate !== null && baseline > 0 && candidate > 0
        ? [[block, Math.log(candidate / baseline)]]
        : [],
    ),
  );
}

/** Which of two ratios is the lower, block by block, where the interval of the difference says it. */
function apart(lower: Comparison, higher: Comparison, level: number): Agreement {
  const others = logRatios(higher);
  const differences = [...logRatios(lower)].flatMap(([block, ratio]) => {
    const other = others.get(block);
    return other === undefined ? [] : [ratio - other];
  });
  const [interval] = locationTests['signed-rank'].locate(differences, [level]).intervals;
  if (interval === undefined || interval === null) return 'undecided';
  const [low, high] = interval;
  if (high < 0) return 'same';
  return low > 0 ? 'other' : 'undecided';
}

/** One ratio lower than another: of pairs, those that are decided must agree. All pairs together err in 5 % of cases. */
function contrasted(words: string, pairs: readonly (readonly [Comparison, Comparison])[]): StudySign {
  const agreements = pairs.map(([lower, higher]) => apart(lower, higher, 1 - 0.05 / pairs.length));
  const decided = new Set(agreements.filter((agreement) => agreement !== 'undecided'));
  const [only = 'undecided'] = decided;
  return {
    words,
    agreement: pairs.length === 0 ? 'not measured' : decided.size > 1 ? 'partly' : only,
    evidence: evidenceOf([...new Set(pairs.flat())]),
  };
}

/** HTTP/3 against HTTP/2 at the highest rate of a sweep beside the same at its lowest, client by client. */
function ratesApart(comparisons: readonly Comparison[]): [Comparison, Comparison][] {
  const rateMbps = ({ network }: Comparison): number =>
    network === 'ethernet-1g' ? 1000 : Number(/(\d+)mbit$/.exec(network)?.[1]);
  return [...Map.groupBy(comparisons, ({ client }) => client).values()].flatMap((those) => {
    const sorted = those.toSorted((a, b) => rateMbps(a) - rateMbps(b));
    const slowest = sorted[0];
    const fastest = sorted.at(-1);
    return slowest === undefined || fastest === undefined || slowest === fastest
      ? []
      : [[fastest, slowest] as [Comparison, Comparison]];
  });
}

const handshakeCounts = 'totalWithConnectMs';
const twoProtocols = { baseline: 'h2', candidate: 'h3' };

/** The directions that whatever runs these studies again should show, and whether these runs show them. */
export function studySigns(summaries: Summaries): StudySign[] {
  const browsers = found(summaries, { preset: 'zhang2024-browsers', metric: 'throughputMbps' });
  const chromium = browsers.filter((browser) => chromiumFamily.includes(family(browser)));
  const firefox = browsers.filter((browser) => family(browser) === 'firefox');
  const sweep = found(summaries, { preset: 'zhang2024-sweep', metric: 'throughputMbps' });
  const small = [
    ...found(summaries, {
      preset: 'liu2025-single',
      metric: handshakeCounts,
      workloads: /^download-0kb$/,
      networks: /-50ms-/,
    }),
    ...found(summaries, {
      preset: 'kakhki2017-grid',
      metric: handshakeCounts,
      workloads: /^download-(?:5|10)kb$/,
      ...twoProtocols,
    }),
  ];
  return [
    directed('Chromium’s HTTP/3 is below its HTTP/2 on the fast path (Z3)', 'worse', chromium),
    contrasted('the gap opens with bandwidth (Z2)', ratesApart(sweep)),
    contrasted(
      'Firefox loses less over HTTP/3 than Chromium (Z3)',
      chromium.flatMap((chromiumClient) => firefox.map((other) => [chromiumClient, other] as const)),
    ),
    directed(
      'moving a connection beats starting again (L3)',
      'better',
      found(summaries, {
        preset: 'liu2025-migration',
        metric: handshakeCounts,
        baseline: 'h2+handover=2mb-restart',
      }),
    ),
    directed('small bodies come sooner over HTTP/3 where the handshake counts (L1, K2)', 'better', small),
    directed(
      'video starts sooner over HTTP/3 under loss (S3)',
      'better',
      found(summaries, {
        preset: 'shreedhar2022-video',
        metric: 'startupDelayMs',
        networks: /-[1-9]\d*pct$/,
      }),
    ),
  ];
}
