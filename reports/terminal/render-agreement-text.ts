import type { Agreement, AgreementKind } from '../../src/core/model/agreement.ts';
import { agreementSentence, rowWords } from '../markdown/render-agreement.ts';
import { isNumber } from '../format/numbers.ts';
import { differenceLines } from './render-run-comparison-text.ts';
import type { TerminalOptions } from './render-terminal-summary.ts';
import { painter, wrap } from './terminal-text.ts';

/** Signs that tell agreements apart without colour. */
const signs: Readonly<Record<AgreementKind, string>> = {
  agrees: '✓',
  'agrees in direction': '~',
  differs: '✕',
  'not decided': '?',
};

/** What stands in the terminal after `reproduce`: what differs, each primary comparison, and the sum. Ends in a newline. */
export function renderAgreementText(agreement: Agreement, options: TerminalOptions): string {
  const columns = isNumber(options.columns) ? Math.max(40, options.columns) : 80;
  const paint = painter(options.colour);
  const primary = agreement.rows.filter(({ primary: isPrimary }) => isPrimary);
  return [
    '',
    ...differenceLines(agreement.differences).flatMap((line) => wrap(`Differs: ${line}`, columns, '  ')),
    '',
    ...primary.flatMap((row) =>
      wrap(`${signs[row.agreement]} ${rowWords(row)}: ${row.agreement}`, columns, '  '),
    ),
    '',
    ...wrap(agreementSentence(agreement), columns).map((line) => paint(line, 'bold')),
    '',
  ].join('\n');
}
