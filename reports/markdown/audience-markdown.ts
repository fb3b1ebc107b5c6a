import type { AudienceResult } from '../../src/core/model/audience.ts';
import { quantileColumns, quantileRows, segmentColumns, segmentRows } from '../format/audience-change.ts';
import { armTitle } from '../format/labels.ts';
import { plain, table } from './markdown-text.ts';

/** What users of the audience get, segment by segment and in its tail; nothing of a run without one. */
export function audienceMarkdown(audience: AudienceResult | undefined): string[] {
  if (audience === undefined) return [];
  const escaped = (rows: readonly (readonly string[])[]): string[][] => rows.map((row) => row.map(plain));
  return [
    plain([...audience.noticeableSentences, ...audience.coverageSentences].join(' ')),
    ...audience.answers.flatMap((answer) => [
      table(segmentColumns(answer), escaped(segmentRows(answer))),
      table(
        quantileColumns(answer, plain(armTitle(answer.baselineArm)), plain(armTitle(answer.candidateArm))),
        escaped(quantileRows(answer)),
      ),
      plain(answer.loadsSentence),
    ]),
  ].filter((part) => part !== '');
}
