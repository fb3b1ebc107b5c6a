import { blockName } from '../../../src/core/model/block-name.ts';
import { armTitle } from '../../format/labels.ts';
import { plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

/** A trial whose HAR lies next to the report. */
export interface UnpackedHar {
  readonly trialId: string;
  readonly workload: string;
  readonly client: string;
  readonly network: string;
  readonly blockIndex: number;
  readonly arm: string;
}

/** Folder next to the report with the HARs of the trials that it shows. */
export const harFolder = 'har';

/** Links to the HARs next to the report; nothing where there are none. */
export function harLinks({ labels, summary }: ReportContext, hars: readonly UnpackedHar[]): Markup {
  if (hars.length === 0) return markup``;
  const kinds = new Map(summary.workloads.map(({ id, kind }) => [id, kind]));
  const items = hars.map(({ trialId, workload, client, network, blockIndex, arm }) => {
    const what = labels.workload(workload, kinds.get(workload) ?? 'page');
    const where = `${labels.client(client)}, ${labels.network(network)}`;
    return markup`<li><a href="${harFolder}/${encodeURIComponent(trialId)}.har">${what}: ${armTitle(arm)}, ${blockName(blockIndex, summary.run.repetitions)}</a> <small>${where}</small></li>`;
  });
  return markup`<section id="hars" aria-labelledby="hars-title">
    <h2 id="hars-title">HARs of the trials shown</h2>
    <p class="note">In the folder <code>${harFolder}</code> next to this file. Any HAR viewer opens them, such as the network panel of a browser.</p>
    <details><summary>${plural(hars.length, 'HAR')}</summary><ul class="part-contents">${items}</ul></details>
  </section>`;
}
