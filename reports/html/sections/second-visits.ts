import { armTitle } from '../../format/labels.ts';
import { formatNumber, formatShare } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { plainTable, scrolling } from '../scrolling.ts';

/** Which comparisons are of second visits, and what those had from the first. Empty where there are none. */
export function secondVisits({ summary, labels }: ReportContext): Markup {
  const { secondVisits: visits = [] } = summary;
  if (visits.length === 0) return markup``;
  const rows = visits.map(
    (row) =>
      markup`<tr>
        <th scope="row">${row.workload}</th>
        <td>${labels.client(row.client)}</td>
        <td>${labels.network(row.network)}</td>
        <td>${armTitle(row.arm)}</td>
        <td class="num">${formatNumber(row.trials)}</td>
        <td class="num">${formatNumber(row.cachedObjectCount)}</td>
        <td class="num">${formatNumber(row.objectCount)}</td>
        <td class="num">${row.resumedHostShare === null ? 'not logged' : formatShare(row.resumedHostShare)}</td>
      </tr>`,
  );
  return markup`<h3>Second visits</h3>
    <p class="note">
      View: repeat. Each of these trials visits its page twice in one profile and measures the second visit. The
      browser ends in between. Objects from its cache used no protocol and are in no figure but the first column of
      objects. A host counts as resumed where its first connection took up a TLS session. Where none did, no request
      at the start of the visit was sent in 0-RTT. Whether later ones were is not recorded.
    </p>
    ${scrolling(
      'Second visits',
      plainTable(
        [
          'Workload',
          'Browser',
          'Network',
          'Arm',
          'Valid trials',
          'Objects from the cache',
          'Objects over the network',
          'Hosts with a resumed TLS session',
        ],
        rows,
      ),
    )}`;
}
