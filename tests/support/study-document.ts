import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agreementText, campaignWords } from '../../reports/format/agreement-words.ts';
import { standingOf, studyCounts, type Standing } from '../../reports/html/studies/study-counts.ts';
import { code, plain, table } from '../../reports/markdown/markdown-text.ts';
import { studiesOf } from '../../src/app/studies/studies-page.ts';
import type { PublishedResult } from '../../src/core/model/published.ts';
import type { ExperimentResult, Studies } from '../../src/core/model/studies.ts';

let made: Promise<Studies> | undefined;

/** The studies from what the project keeps, and nothing else. Plans of all scales are expanded: it takes seconds, once. */
export function keptStudies(): Promise<Studies> {
  made ??= (async () => {
    const out = mkdtempSync(join(tmpdir(), 'h2h3-studies-'));
    try {
      return (await studiesOf({ out })).studies;
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  })();
  return made;
}

const ofStudies = ({ experiments }: Studies): readonly ExperimentResult[] =>
  experiments.filter(({ question }) => question === undefined);

function numbersTable(studies: Studies): string {
  const byStudy = Map.groupBy(ofStudies(studies), ({ study }) => study);
  const rows = [...byStudy, ['all four', ofStudies(studies)] as const].map(([study, experiments]) => {
    const counts = studyCounts({ experiments: [...experiments] });
    const { all, direction, size, sizeOf, held, heldOf, part, pooled, oneClient } = counts;
    return [
      plain(study),
      String(all),
      String(direction),
      `${size} of ${sizeOf}`,
      `${held} of ${heldOf}`,
      String(part + pooled + oneClient),
      ...[counts.opposite, counts.open, counts.absent, counts.afterTheFact, counts.notMeasured].map(String),
    ];
  });
  return table(
    [
      'study',
      'findings',
      'direction agrees',
      'size agrees',
      'held in every campaign',
      'agrees in part',
      'contradicted',
      'not decided',
      'no precondition',
      'after the fact',
      'not measured',
    ],
    rows,
  );
}

/** What is decided, in this order. */
const shown: readonly Standing[] = ['direction', 'part', 'pooled', 'oneClient', 'opposite', 'absent'];

function claimRow({ id }: ExperimentResult, result: PublishedResult): string[] {
  const { experiment, figure, ours } = result;
  const [first] = ours;
  const more = ours.length > 1 ? `, ${ours.length - 1} more on the page` : '';
  const campaigns = campaignWords(result);
  return [
    id,
    plain(experiment),
    plain(figure),
    plain(`${first?.change ?? ''}${more}`),
    plain([agreementText(result), campaigns].filter(Boolean).join(', ')),
  ];
}

function claimsTable(studies: Studies): string {
  const rows = ofStudies(studies).flatMap((experiment) =>
    experiment.results
      .filter(({ expects, countedIn }) => expects !== undefined && countedIn === undefined)
      .filter((result) => shown.includes(standingOf(result)))
      .map((result) => claimRow(experiment, result)),
  );
  return table(['id', 'finding', 'published', 'here', 'outcome'], rows);
}

/** The made part of docs/studies.md: the three numbers of each study, and every finding that is decided. */
export async function studyDocument(): Promise<string> {
  const studies = await keptStudies();
  const scales = [...new Set(ofStudies(studies).flatMap(({ run }) => run?.scale ?? []))];
  return [
    `From the kept runs at ${scales.join(', ')} scale, most of them by revision ${code(studies.revision ?? 'not known')}.`,
    numbersTable(studies),
    'Findings that are decided, and were frozen before their run:',
    claimsTable(studies),
  ].join('\n\n');
}

/** The line of the README about the studies, without its links. */
export async function readmeLine(): Promise<string> {
  const counts = studyCounts(await keptStudies());
  const { all, direction, size, sizeOf, held, heldOf, part, pooled, oneClient, opposite } = counts;
  const inPart = part + pooled + oneClient;
  return `of ${all}, ${direction} agree in direction at every condition, ${inPart} at a part of them, ${opposite} are contradicted. Of the ${direction}, ${size} of ${sizeOf} comparable agree in size, and ${held} of ${heldOf} repeated in every campaign`;
}
