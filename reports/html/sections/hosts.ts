import type { Comparison } from '../../../src/core/model/summary.ts';
import type { HostAgreement } from '../../../src/core/model/host-agreement.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatP, formatRatioPercent, formatSigned, plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

type HostEffect = NonNullable<HostAgreement['effects']>[number];

/** A comparison with its effect on each host. */
interface ByHost {
  readonly comparison: Comparison;
  readonly hosts: HostAgreement;
  readonly effects: readonly HostEffect[];
}

/** More rows than this say nothing that the lowest p of these does not. */
const maxRows = 30;

function byHost(comparison: Comparison): ByHost[] {
  const { hosts } = comparison;
  return hosts?.effects === undefined ? [] : [{ comparison, hosts, effects: hosts.effects }];
}

function effectText({ ratio, difference }: HostEffect, unit: string): string {
  return ratio === null ? `${formatSigned(difference)} ${unit}` : formatRatioPercent(ratio);
}

function row(
  { comparison, hosts, effects }: ByHost,
  names: readonly string[],
  context: ReportContext,
): Markup {
  const { labels, conditionWords } = context;
  const cell = (name: string): Markup => {
    const effect = effects.find(({ host }) => host === name);
    if (effect === undefined) return markup`<td class="num">–</td>`;
    return markup`<td class="num">${effectText(effect, comparison.unit)}<small>${plural(effect.blocks, 'block')}</small></td>`;
  };
  return markup`<tr>
    <th scope="row">${labels.workload(comparison.workload, comparison.workloadKind)}<small>${[metricWords(comparison.metric).title, conditionWords(comparison)].filter(Boolean).join(', ')}</small></th>
    ${names.map(cell)}
    <td class="num">${formatP(hosts.pValue)}</td>
  </tr>`;
}

/** The effect on each machine, those first that agree least; nothing for a run on one machine. */
export function hosts(context: ReportContext): Markup {
  const all = context.summary.comparisons
    .flatMap(byHost)
    .sort((a, b) => (a.hosts.pValue ?? 1) - (b.hosts.pValue ?? 1));
  const [first] = all;
  if (first === undefined) return markup``;
  const names = [...new Set(all.flatMap(({ effects }) => effects.map(({ host }) => host)))].sort();
  const shown = all.slice(0, maxRows);
  const how =
    first.hosts.handling === 'clustered'
      ? 'Each machine counts with its mean, so intervals hold for other machines of the kind, too.'
      : 'Intervals hold for these machines: what they differ by is no part of the noise.';
  return markup`<section id="hosts" aria-labelledby="hosts-title">
    <h2 id="hosts-title">Do the machines agree?</h2>
    <p class="note">Whole blocks ran on one machine each. The column p tests whether all have one effect. Below 0.05, with machines on different sides of a margin, there is no verdict. ${how}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Effects by machine">
    <table class="plain"><thead><tr><th scope="col">Comparison</th>${names.map((name) => markup`<th scope="col">${name}</th>`)}<th scope="col">p</th></tr></thead><tbody>${shown.map((host) => row(host, names, context))}</tbody></table>
    </div>
    ${all.length > shown.length && markup`<p class="note">${plural(all.length - shown.length, 'more comparison')} in summary.json, with larger p.</p>`}
  </section>`;
}
