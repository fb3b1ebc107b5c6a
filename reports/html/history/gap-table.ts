import type { ProtocolGap, Trend, TrendPoint } from '../../../src/core/model/history.ts';
import { metricDefinition } from '../../../src/core/metrics/registry.ts';
import { namesFrom } from '../../../src/core/model/names.ts';
import type { WorkloadKind } from '../../../src/core/model/workload.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatRatioPercent, formatSigned, plural, unbroken } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { scrolling } from '../scrolling.ts';
import { familyTitle } from './trend-page-data.ts';

/** Gaps beyond this stand behind “more”. */
const maxOpen = 8;
/** Versions that fit a screen; older ones are left to the charts. */
const maxVersions = 8;

function figure(gap: ProtocolGap, value: number): string {
  if (gap.form === 'ratio') return formatRatioPercent(value);
  return `${formatSigned(value)} ${metricDefinition(gap.metric)?.unit ?? ''}`.trim();
}

/** By the middle alone: a history gives no verdicts. */
function side(gap: ProtocolGap, { median }: TrendPoint): 'better' | 'worse' | 'equivalent' {
  const change = gap.form === 'ratio' ? median - 1 : median;
  if (change === 0) return 'equivalent';
  return change > 0 === (metricDefinition(gap.metric)?.higherIsBetter ?? false) ? 'better' : 'worse';
}

const signs = { better: '▲', worse: '▼', equivalent: '≈' } as const;

/** Where a gap was measured, and of what. */
export function gapTitle(gap: ProtocolGap, { names }: Pick<Trend, 'names'>): { what: string; place: string } {
  const known = namesFrom(names);
  const { workload, kind = 'page', metric, network, family, build, machineClass } = gap;
  return {
    what: `${known.workload(workload, kind as WorkloadKind)}: ${metricWords(metric).title}`,
    place: `${familyTitle(family, build)}, ${known.network(network)}, ${machineClass}`,
  };
}

/** `25 % worse`; null where chance alone may explain the gap. */
function gapWords(gap: ProtocolGap, point: TrendPoint): string | null {
  const { median, interval } = point;
  const none = gap.form === 'ratio' ? 1 : 0;
  if (interval !== null && interval[0] <= none && interval[1] >= none) return null;
  return `${figure(gap, median).replace(/^[+\u2212]/, '')} ${side(gap, point)}`;
}

/** What the first gap is in the newest version, and was in the one before it; empty where there is none. */
export function gapHeadline({ gaps }: Pick<Trend, 'gaps'>): string {
  const [gap] = gaps;
  const last = gap?.versions.at(-1);
  if (gap === undefined || last === undefined) return '';
  const before = gap.versions.at(-2);
  const now = gapWords(gap, last);
  const then = before === undefined ? null : gapWords(gap, before);
  const sentences = [
    now === null
      ? `HTTP/3 and HTTP/2 differ no more than by chance in ${last.version}.`
      : `HTTP/3 is ${now} than HTTP/2 in ${last.version}.`,
    ...(before === undefined ? [] : [`It was ${then ?? 'no different'} in ${before.version}.`]),
  ];
  return sentences.join(' ');
}

function cell(gap: ProtocolGap, version: string): Markup {
  const point = gap.versions.find((point) => point.version === version);
  if (point === undefined) return markup`<td class="none">·</td>`;
  const { n, interval } = point;
  const range =
    interval === null ? 'no interval' : `${figure(gap, interval[0])} to ${figure(gap, interval[1])}`;
  const which = side(gap, point);
  return markup`<td class="change"><b class="v-${which}"><span class="sign" aria-hidden="true">${signs[which]}</span> ${figure(gap, point.median)}</b><small>${range}, n = ${n}</small></td>`;
}

function placesOf(gaps: readonly ProtocolGap[], trend: Pick<Trend, 'names'>): Set<string> {
  return new Set(gaps.map((gap) => gapTitle(gap, trend).place));
}

function table(
  gaps: readonly ProtocolGap[],
  versions: readonly string[],
  trend: Pick<Trend, 'gaps' | 'names'>,
): Markup {
  const several = placesOf(trend.gaps, trend).size > 1;
  const rows = gaps.map((gap) => {
    const { what, place } = gapTitle(gap, trend);
    return markup`<tr><th scope="row">${what}${several && markup`<small>${place}</small>`}</th>${versions.map((version) => cell(gap, version))}</tr>`;
  });
  return scrolling(
    'HTTP/3 against HTTP/2 by version',
    markup`<table class="plain gaps"><thead><tr><th scope="col">What</th>${versions.map((version) => markup`<th scope="col">${version}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`,
  );
}

/** The newest version first, so that a narrow screen shows it. */
function versionsOf(gaps: readonly ProtocolGap[]): string[] {
  const longest = gaps.toSorted((a, b) => b.versions.length - a.versions.length);
  return [...new Set(longest.flatMap((gap) => gap.versions.map(({ version }) => version)))]
    .slice(-maxVersions)
    .reverse();
}

/** What HTTP/3 changes in each version of the browser: the question that a history is kept for, so it comes first. */
export function gapTable(trend: Trend): Markup {
  const { gaps } = trend;
  if (gaps.length === 0)
    return markup`<p class="empty">No run of this history measured HTTP/2 and HTTP/3 in the same blocks.</p>`;
  const versions = versionsOf(gaps);
  const more = gaps.length - maxOpen;
  const places = placesOf(gaps, trend);
  const [place] = places;
  return markup`<p class="note">Median of all blocks of a version, with its ${unbroken('95 %')} interval. Both protocols ran in each block, so what the machine did to both cancels. ▲ better over HTTP/3, ▼ worse.${places.size === 1 && ` ${place}.`}</p>
    ${table(gaps.slice(0, maxOpen), versions, trend)}
    ${more > 0 && markup`<details><summary>${plural(more, 'more gap')}</summary>${table(gaps.slice(maxOpen), versions, trend)}</details>`}`;
}
