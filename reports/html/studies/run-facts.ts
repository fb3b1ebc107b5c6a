import { sentenceCase } from '../../../src/core/model/sentence-case.ts';
import type { ExperimentResult } from '../../../src/core/model/studies.ts';
import { campaignsWords, rawRateWords, runParts, setUpParts } from '../../format/run-state.ts';
import { markup, type Insert, type Markup } from '../markup.ts';

type Run = NonNullable<ExperimentResult['run']>;

/** Facts of a run that other runs of a section may share, and what stands before them. */
function partsOf(run: Run): readonly (readonly [head: string, parts: readonly string[]])[] {
  return [
    ['', runParts(run)],
    ['Here: ', run.machineParts ?? run.clients],
    ['Set-up: ', setUpParts(run)],
  ];
}

/** Facts that all runs of a section have, of two runs or more: the section says them once. */
export function commonParts(those: readonly ExperimentResult[]): ReadonlySet<string> {
  const sets = those.flatMap(({ run }) =>
    run === undefined ? [] : [new Set(partsOf(run).flatMap(([, parts]) => parts))],
  );
  const [first, ...others] = sets;
  if (first === undefined || others.length === 0) return new Set();
  return new Set([...first].filter((part) => others.every((other) => other.has(part))));
}

/** The sentence that says them; nothing where there are none. */
export function commonFacts(common: ReadonlySet<string>): Insert {
  return (
    common.size > 0 && markup`<p class="note study-facts">In every run here: ${[...common].join(', ')}.</p>`
  );
}

export interface FactsOptions {
  /** Whether the page must do without the runs' folders. */
  readonly alone: boolean;
  /** That most runs of the page are of. */
  readonly revision: string | null;
  /** Heading of the section; an experiment of a study of another name says which. */
  readonly section: string;
  /** What the section says of all its runs. */
  readonly common: ReadonlySet<string>;
  /** What its outcomes have in common. */
  readonly outcomes?: string | undefined;
}

function sentencesOf(run: Run, { revision, common }: FactsOptions): string[] {
  const own = partsOf(run).flatMap(([head, parts]) => {
    const left = parts.filter((part) => !common.has(part));
    return left.length === 0 ? [] : [`${head}${left.join(', ')}`];
  });
  return run.revision === revision ? own : [...own, 'Another revision than most runs here'];
}

/** How an experiment was run, and in what it differs from the study's, as one paragraph. */
export function runFacts(result: ExperimentResult, options: FactsOptions): Markup {
  const { study, place, run, differs, missing = [] } = result;
  const source = study === options.section ? sentenceCase(place) : `${study}, ${place}`;
  const sentences = [
    options.outcomes,
    source,
    ...(run === undefined ? [] : sentencesOf(run, options)),
    campaignsWords(result),
    run === undefined ? undefined : rawRateWords(run),
    differs === undefined ? undefined : `Set-ups differ: ${differs}`,
    missing.length === 0 ? undefined : `Not measured here: ${missing.join('. ')}`,
  ].filter((sentence) => sentence !== undefined);
  const link =
    run?.path === undefined || options.alone
      ? ''
      : markup` <a href="${encodeURI(run.path)}/report.html">Report</a>.`;
  return markup`<p class="note study-facts">${sentences.map((sentence) => markup`<span>${sentence}.</span> `)}${link}</p>`;
}
