import type { ExperimentResult, Studies } from '../../../src/core/model/studies.ts';
import { sentenceCase } from '../../../src/core/model/sentence-case.ts';
import { plural } from '../../format/numbers.ts';
import { markup, type Insert, type Markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';
import { commandWords } from '../sections/answer-list.ts';
import { renderExperiment, type ExperimentOptions } from './experiment.ts';
import { commonFacts, commonParts, type FactsOptions } from './run-facts.ts';
import { renderLead } from './lead.ts';
import {
  apartWords,
  runsInWords,
  studiesHeadline,
  studyCounts,
  threeNumbers,
  type Standing,
  type StudyCounts,
} from './study-counts.ts';

const styleFiles = [
  'base.css',
  'top.css',
  'first-screen.css',
  'answer.css',
  'tables.css',
  'index.css',
  'studies.css',
  'print.css',
] as const;

const segments: readonly (readonly [Standing, string, string])[] = [
  ['direction', 'direction agrees', 'o-same'],
  ['part', 'agrees at a part of the conditions', 'o-apart'],
  ['pooled', 'agrees over pooled pages', 'o-apart'],
  ['oneClient', 'agrees with one client of several', 'o-apart'],
  ['opposite', 'contradicted', 'o-other'],
  ['open', 'not decided', 'o-open'],
  ['absent', 'without the precondition', 'o-none'],
  ['afterTheFact', 'judged after the fact', 'o-none'],
  ['notMeasured', 'not measured', 'o-none'],
];

/** On a phone a number is as wide as this share of the bar; the key has the count of narrower parts. */
const narrowestWithCountPercent = 4;

/** All findings as one bar. */
function bar(counts: StudyCounts): Markup {
  if (counts.all === 0) return markup``;
  let before = 0;
  const parts = segments.flatMap(([key, , tone]) => {
    const count = counts[key];
    if (count === 0) return [];
    const x = (before / counts.all) * 100;
    before += count;
    const width = (count / counts.all) * 100;
    const middle = (x + width / 2).toFixed(2);
    const number =
      width >= narrowestWithCountPercent &&
      markup`<text class="study-count" x="${middle}%" y="22" text-anchor="middle">${count}</text>`;
    return [
      markup`<rect class="study-bar ${tone}" x="${x.toFixed(2)}%" y="2" width="${width.toFixed(2)}%" height="30"/>${number}`,
    ];
  });
  const key = segments
    .filter(([name]) => counts[name] > 0)
    .map(
      ([name, title, tone]) =>
        markup`<li class="${tone}"><i class="study-key"></i>${title} ${counts[name]}</li>`,
    );
  return markup`<figure class="dumbbell-figure" id="picture"><svg width="100%" height="34" role="img" aria-label="${studiesHeadline(counts)}">${parts}</svg><figcaption><ul class="study-keys">${key}</ul></figcaption></figure>`;
}

/** What the fewest more minutes should decide. */
function cheapestDecision(experiments: readonly ExperimentResult[]): Markup {
  const open = experiments
    .filter((experiment) => !isLater(experiment))
    .flatMap(({ id, preset, run, results }) =>
      results.flatMap(({ experiment, decision }) =>
        decision === undefined ? [] : [{ id, preset, scale: run?.scale, experiment, ...decision }],
      ),
    )
    .toSorted((a, b) => a.minutes - b.minutes);
  const [first] = open;
  if (first === undefined) return markup`Open the table of an experiment for every comparison.`;
  const { id, preset, scale, experiment, blocks, minutes } = first;
  const line = `npx h2h3 run ${preset}${scale ? ` --scale ${scale}` : ''} --repetitions ${blocks}`;
  return markup`Cheapest open decision: ${id}, ${experiment} (about ${plural(minutes, 'minute')} more). <code>${commandWords(line)}</code>`;
}

/** What to do next stands there whatever was measured. */
function nextStep({ experiments }: Studies): Markup {
  const missing = experiments.filter(
    ({ run, needs, question }) => run === undefined && needs === undefined && question === undefined,
  );
  const [first] = missing;
  const line =
    missing.length === 1 && first !== undefined
      ? `npx h2h3 studies --run --only ${first.id}`
      : 'npx h2h3 studies --run --for 30m';
  const does =
    first === undefined
      ? cheapestDecision(experiments)
      : markup`${plural(missing.length, 'experiment')} not run yet: <code>${commandWords(line)}</code>`;
  return markup`<ul class="answers"><li class="answer a-measure-more"><p class="answer-do"><span class="action">Next</span> ${does}</p></li></ul>`;
}

const isLater = ({ question }: ExperimentResult): boolean => question !== undefined;

function group(
  title: string,
  id: string,
  those: readonly ExperimentResult[],
  { leads = [], ...page }: Pick<FactsOptions, 'alone' | 'revision'> & Pick<Studies, 'leads'>,
): Markup {
  const lead = renderLead(
    leads.find(({ study }) => study === title),
    those,
  );
  const common = commonParts(those);
  const options: ExperimentOptions = { ...page, section: title, common, lead: lead?.figure };
  return markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${lead?.shown}
    <div class="study-grid">${those.map((experiment) => renderExperiment(experiment, options))}</div>${commonFacts(common)}${theirMachines(those)}</section>`;
}

/** Sections of the page: one a study, and research after them. */
function groupsOf({
  experiments,
}: Studies): (readonly [title: string, id: string, those: ExperimentResult[]])[] {
  const byStudy = Map.groupBy(
    experiments.filter((experiment) => !isLater(experiment)),
    ({ study }) => study,
  );
  const later = experiments.filter(isLater);
  return [
    ...[...byStudy].map(([study, those]) => [study, idOf(study), those] as const),
    ...(later.length === 0 ? [] : [['Research after the four studies', 'later', later] as const]),
  ];
}

/** The machines of a study, each once. */
function theirMachines(those: readonly ExperimentResult[]): Insert {
  const machines = new Set(those.flatMap(({ results }) => results.map(({ machine }) => machine)));
  return machines.size > 0 && markup`<p class="note study-facts">There: ${[...machines].join('. ')}.</p>`;
}

const idOf = (study: string): string => study.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const legend = markup`<p class="note sf-legend"><i class="sf-swatch sf-swatch-p"></i> published (a box: a range, or mean ± standard deviation) <i class="sf-swatch"></i> measured here, with its interval of 95 %. Where an outcome names no size, the study published none.</p>`;

/**
 * Every experiment of the studies as one page: first its figure, published and measured, then a line, then a table on demand.
 *
 * @param alone whether the reports of the runs do not lie next to it, so that it has no links to them
 */
export async function renderStudiesPage(studies: Studies, { alone = false } = {}): Promise<string> {
  const assets = await loadAssets(styleFiles, 'list-page.ts', { charts: false });
  const counts = studyCounts(studies);
  const headline = studiesHeadline(counts);
  const groups = groupsOf(studies);
  const body = markup`${topBar(
    'studies',
    groups.map(([title, id]) => [`#${id}`, title] as const),
  )}
    <main id="main"><section class="hero" aria-labelledby="headline">
    <h1 id="headline">${headline}</h1>
    <p class="facts">${sentenceCase(threeNumbers(counts))}. Counted apart: ${apartWords(counts)}.</p>
    <p class="facts">${runsInWords(studies)}</p>
    ${bar(counts)}
    ${nextStep(studies)}
    ${legend}</section>
    ${groups.map(([title, id, those]) => group(title, id, those, { alone, revision: studies.revision, leads: studies.leads }))}</main>
    <footer><p>Made by h2h3 studies. It loads nothing from the network.</p></footer>`;
  return pageText({ title: `${headline} · h2h3`, assets, body });
}
