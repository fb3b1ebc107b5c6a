import type { Environment, NetworkDescription, RealLink } from '../../../src/core/model/environment.ts';
import { armTitle } from '../../format/labels.ts';
import { formatNumber, plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { plainTable, scrolling } from '../scrolling.ts';

/** How each path was made, what was set on it, what the check of it measured, and what it counted during trials. */
export function paths(context: ReportContext, environment: Environment): Markup {
  const blocks = environment.networks.map(
    (network) =>
      markup`<h4>${network.spec?.title ?? (network.description || network.id)}</h4>
        ${network.spec !== undefined && markup`<p class="note">${network.description}.</p>`}
        ${making(network)}${notes(network)}${checks(network)}${counters(context, network)}`,
  );
  return markup`<h3>Path</h3>
    ${blocks.length === 0 ? markup`<p class="empty">No path was recorded.</p>` : blocks}`;
}

/** In words, where it is no program of that name. */
const madeBy: Readonly<Partial<Record<NetworkDescription['backend'], string>>> = {
  none: 'nothing, the bare loopback path',
  real: 'nothing, the real link',
};

function making({ backend, privilege, offloads, spec }: NetworkDescription): Markup {
  const switches = Object.entries(offloads ?? {})
    .map(([name, on]) => `${name} ${on ? 'on' : 'off'}`)
    .join(', ');
  return markup`<p class="note">
    Made by: ${madeBy[backend] ?? backend}. Privilege:
    ${privilege}.${switches !== '' && ` Offloads: ${switches}.`}${spec !== undefined && ` Figures from: ${spec.source}.`}
  </p>`;
}

function notes({ notes = [], realLinkAfter }: NetworkDescription): Markup {
  const lines = [...notes, ...(realLinkAfter === undefined ? [] : [afterWords(realLinkAfter)])];
  if (lines.length === 0) return markup``;
  return markup`<ul class="warnings">${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
}

/** The link between two machines when the run was over. */
function afterWords({ roundTripMs, upMbps, downMbps, udp }: RealLink): string {
  const lost =
    udp === undefined
      ? ''
      : `, ${formatNumber(udp.down.lossPercent)} % and ${formatNumber(udp.up.lossPercent)} % of datagrams lost`;
  return `after the run: ${formatNumber(roundTripMs)} ms round trip, ${formatNumber(downMbps)} Mbit/s down and ${formatNumber(upMbps)} Mbit/s up over TCP${lost}`;
}

/** A figure that was only taken has nothing to hold to. */
function checkWord({ ok, expected }: NetworkDescription['checks'][number]): string {
  if (!ok) return '✕ off';
  return expected === null ? '· measured' : '✓ holds';
}

/** Every measurement, where one did not do. */
function otherMeasurements({ measurements = [] }: NetworkDescription['checks'][number]): string {
  return measurements.length < 2
    ? ''
    : ` (of ${measurements.map((value) => formatNumber(value)).join(', ')})`;
}

function checks(network: NetworkDescription): Markup {
  if (network.checks.length === 0)
    return markup`<p class="empty">
      ${network.impaired ? 'This path was set up but not checked.' : 'Nothing was set on this path, so there was nothing to check.'}
    </p>`;
  const rows = network.checks.map(
    (check) =>
      markup`<tr>
        <td>${checkWord(check)}</td>
        <th scope="row">
          ${check.quantity}, ${check.direction === 'down' ? 'to the client' : 'to the server'}
        </th>
        <td class="num">
          ${check.expected === null ? 'not set' : `${formatNumber(check.expected)} ${check.unit}`}
        </td>
        <td class="num">${formatNumber(check.measured)} ${check.unit}${otherMeasurements(check)}</td>
        <td class="num">${check.tolerance === null ? '' : `±${formatNumber(check.tolerance)} ${check.unit}`}</td>
      </tr>`,
  );
  return scrolling('Path check', plainTable(['Check', 'Quantity', 'Set', 'Measured', 'Allowed'], rows));
}

function counters({ summary }: ReportContext, { id }: NetworkDescription): Markup {
  const arms = (summary.pathCounters ?? []).filter(({ network }) => network === id);
  const names = [...new Set(arms.flatMap((arm) => Object.keys(arm.counters)))];
  if (names.length === 0) return markup``;
  const heads = arms.map(
    ({ arm, trials }) => markup`<th scope="col">${armTitle(arm)}, ${plural(trials, 'trial')}</th>`,
  );
  const rows = names.map(
    (name) =>
      markup`<tr>
        <th scope="row">${name}</th>
        ${arms.map((arm) => markup`<td class="num">${formatNumber(arm.counters[name] ?? 0)}</td>`)}
      </tr>`,
  );
  return markup`<p class="note">Counted during trials, all together, invalid ones included:</p>
    ${scrolling(
      'Counters of the path',
      markup`<table class="plain">
        <thead>
          <tr>
            <th scope="col">Counter</th>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>`,
    )}`;
}
