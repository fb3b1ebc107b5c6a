import type { Gate, GateComparison } from '../../src/core/model/gate.ts';
import { audienceMarkdown } from '../markdown/audience-markdown.ts';
import { code, plain, table } from '../markdown/markdown-text.ts';
import { nextStep } from '../markdown/next-step.ts';
import { outcomeDiscs, verdictDiscs } from '../format/verdict-colours.ts';
import { plural } from '../format/numbers.ts';
import { typed } from '../format/rerun-command.ts';
import { inOrderOfWeight } from '../format/top-sentence.ts';
import { gateRows, interimSentence } from './gate-words.ts';

/** A comment on a pull request may have 65 536 characters. */
const maxRows = 80;
const maxLines = 20;

function folded(title: string, lines: readonly string[]): string {
  const shown = lines.slice(0, maxLines).map((line) => `- ${plain(line)}`);
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`- and ${rest} more, listed in gate.json`] : [];
  return `<details><summary>${title}</summary>\n\n${[...shown, ...more].join('\n')}\n\n</details>`;
}

/** A row whose verdict has its colour. */
function withDisc(
  [verdict = '', ...rest]: readonly string[],
  comparison: GateComparison | undefined,
): string[] {
  return [comparison === undefined ? verdict : `${verdictDiscs[comparison.verdict]} ${verdict}`, ...rest];
}

/** The gate as a comment for a pull request. */
export function renderGateMarkdown(gate: Gate): string {
  const [head = [], ...rows] = gateRows(gate);
  const [first = '', ...rest] = gate.headline;
  return [
    `### ${outcomeDiscs[gate.outcome]} ${plain(first)}`,
    ...rest.map(plain),
    plain(interimSentence(gate)),
    ...(rows.length > 0
      ? [
          table(
            head,
            rows.slice(0, maxRows).map((row, index) => withDisc(row, gate.comparisons[index]).map(plain)),
          ),
        ]
      : []),
    ...audienceMarkdown(gate.audience),
    ...inOrderOfWeight(gate.next ?? [])
      .slice(0, 1)
      .map(nextStep),
    ...gate.attribution.map(({ sentence }) => plain(sentence)),
    ...((gate.reasons ?? []).length > 0 ? [folded('Where it comes from', gate.reasons ?? [])] : []),
    ...(gate.bisect === undefined ? [] : [`To come closer to the change: ${code(typed(gate.bisect))}`]),
    ...(gate.comparisons.length > 0
      ? [
          folded(
            'In words',
            gate.comparisons.map(({ sentence }) => sentence),
          ),
        ]
      : []),
    ...(gate.secondaryWorse.length > 0
      ? [
          folded(
            `${plural(gate.secondaryWorse.length, 'secondary metric')} looking worse, failing nothing`,
            gate.secondaryWorse,
          ),
        ]
      : []),
    ...(gate.warnings.length > 0 ? [folded(plural(gate.warnings.length, 'warning'), gate.warnings)] : []),
    `Run it again: ${code(typed(gate.command))}`,
    '',
  ].join('\n\n');
}
