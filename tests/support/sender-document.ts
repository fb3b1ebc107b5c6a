import { formatMeasured, plural } from '../../reports/format/numbers.ts';
import { senderVerdictSigns, senderVerdictWords } from '../../reports/format/sender-words.ts';
import { plain, table } from '../../reports/markdown/markdown-text.ts';
import { senderName } from '../../src/analyse/senders/sender-findings.ts';
import { senderVerdicts } from '../../src/core/model/senders.ts';
import { keptSendersFile, readSenders } from '../../src/app/senders/senders-page.ts';

/** One sign stands for both ways of being alike. */
const legend = Object.entries(Object.groupBy(senderVerdicts, (verdict) => senderVerdictSigns[verdict]))
  .map(
    ([sign, verdicts = []]) =>
      `${sign} ${verdicts.map((verdict) => senderVerdictWords[verdict]).join(' or ')}`,
  )
  .join(', ');

/** What the project keeps of its own measurement: what stands out, and a row a sender. */
export function senderList(): string {
  const {
    headline,
    findings,
    notMeasured = [],
    properties,
    senders,
    ...facts
  } = readSenders(keptSendersFile());
  const rows = senders.map((sender) => [
    plain(`${senderName(sender)}, ${sender.congestionControl ?? 'congestion control not known'}`),
    ...properties.map(({ id, unit }) => {
      const measured = sender.properties.find(({ property }) => property === id);
      return measured === undefined
        ? '–'
        : plain(`${senderVerdictSigns[measured.verdict]} ${formatMeasured(measured.median, unit)}`);
    }),
  ]);
  const { path, client, repeats, machine, measuredAt, h2h3 } = facts;
  return [
    `**${headline}.**`,
    findings.map((finding) => `- ${finding}.`).join('\n'),
    table(['sender', ...properties.map(({ title }) => title)], rows),
    `Medians of ${plural(repeats, 'repeat')}. ${legend}.`,
    ...notMeasured.map((reason) => `Not measured: ${reason}.`),
    `${path}. ${client}. ${machine}. ${measuredAt.slice(0, 10)}, h2h3 ${h2h3.version}${h2h3.gitRevision === null ? '' : ` (${h2h3.gitRevision})`}.`,
  ].join('\n\n');
}
