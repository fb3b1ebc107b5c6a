import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderStudiesPage } from '../../../reports/html/studies/render-studies-page.ts';
import { renderStudiesMarkdown } from '../../../reports/markdown/render-studies.ts';
import { experimentResult } from '../../analyse/studies/experiment-result.ts';
import { studyRunOfRecords } from '../../analyse/summary/study-run-of-records.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { studiesSchema, type Studies } from '../../core/model/studies.ts';
import { studyRunSchema, type StudyRun } from '../../core/model/study-run.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { readInput } from '../../core/system/read-input.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { experiments, presetNamed } from '../presets/registry.ts';
import { plannedScales } from './planned-scales.ts';
import { campaignsOf, isWhole, type FoundRun } from './campaigns-of.ts';
import { keepEarlier, keepRuns, keptFolder, readKeptRuns } from './kept-runs.ts';
import { studyLeads } from './leads.ts';
import { makeFolder } from '../../core/system/storage-error.ts';

export interface StudiesPage {
  readonly studies: Studies;
  /** Path of `studies.html`; Markdown and JSON lie next to it. */
  readonly pagePath: string;
  /** Runs that cannot be read or have no digest, and claims that were changed after their run, a line each: none of them counts. */
  readonly passedOver: readonly string[];
  /** Files that were written because the runs were to be kept. */
  readonly kept: readonly string[];
}

export interface PageOptions {
  /** Folder of the runs, in which the page is written. */
  readonly out: string;
  /** Folder of kept runs. Default: the project's own. */
  readonly kept?: string | undefined;
  /** Whether the newest runs are kept there. */
  readonly keep?: boolean | undefined;
}

/** The first is written first: it tells that the others are ours. */
const pageFiles = ['studies.json', 'studies.html', 'studies.md'] as const;

/** The page is written over one of ours only. @throws H2h3Error `usage` where files of somebody else have its names */
export function requireOwnPage(folder: string): void {
  const there = pageFiles.filter((name) => existsSync(join(folder, name)));
  if (there.length === 0 || isStudies(join(folder, pageFiles[0]))) return;
  throw new H2h3Error('usage', `${join(folder, there[0] ?? '')} is not of h2h3 and would be written over`, {
    next: 'Name another folder with --out.',
  });
}

/** Pages of earlier versions have other fields: the version and the list are what says that it is one of ours. */
const anyStudies = studiesSchema.pick({ schemaVersion: true }).loose();

function isStudies(file: string): boolean {
  try {
    const value: unknown = JSON.parse(readInput(file).toString('utf8'));
    return (
      anyStudies.safeParse(value).success && Array.isArray((value as { experiments?: unknown }).experiments)
    );
  } catch {
    return false; // not there, or none of ours
  }
}

/**
 * The page of all experiments from the runs in a folder and those that the project keeps. Of several of one experiment the newest
 * is shown that lost at most one in twenty of its trials, and the others are campaigns next to it.
 *
 * @throws H2h3Error `storage` when the page cannot be written
 */
export async function studiesOf({
  out,
  kept = keptFolder(),
  keep = false,
}: PageOptions): Promise<StudiesPage> {
  makeFolder(out);
  requireOwnPage(out);
  const own = runsIn(out);
  const before = readKeptRuns(kept);
  const campaigns = campaignsOf([...before.runs, ...own.runs]);
  const newest = [...campaigns.values()].flatMap(({ campaigns: those }) => those.at(-1) ?? []);
  const files = keep ? keptOf(kept, own.runs, newest) : [];
  const studies: Studies = {
    schemaVersion: 1,
    revision: commonest(newest.flatMap(({ revision }) => revision ?? [])),
    leads: [...studyLeads],
    experiments: await Promise.all(
      experiments().map(async (experiment) =>
        experimentResult(
          experiment,
          presetNamed(experiment.preset)?.plan.published ?? [],
          campaigns.get(experiment.preset) ?? { campaigns: [] },
          await plannedScales(experiment),
        ),
      ),
    ),
  };
  const [json, pagePath, markdown] = pageFiles.map((name) => resolve(out, name)) as [string, string, string];
  writeWhole(json, `${JSON.stringify(studies, null, 1)}\n`);
  writeWhole(pagePath, await renderStudiesPage(studies));
  writeWhole(markdown, renderStudiesMarkdown(studies));
  return {
    studies,
    pagePath,
    passedOver: [...own.passedOver, ...before.passedOver, ...changedClaims(studies)],
    kept: files,
  };
}

/** Whole runs are kept: the one that is shown in its own file, all others among those of before. */
function keptOf(folder: string, own: readonly FoundRun[], newest: readonly FoundRun[]): string[] {
  const whole = own.filter(isWhole);
  const shown = whole.filter((run) => newest.includes(run)).map(withoutPath);
  const others = whole.filter((run) => !newest.includes(run)).map(withoutPath);
  return [...keepRuns(folder, shown), ...others.map((run) => keepEarlier(folder, run))];
}

/** A line for each experiment of which claims were changed after the run that would judge them. */
function changedClaims({ experiments: those }: Studies): string[] {
  return those.flatMap(({ id, results }) => {
    const changed = results.flatMap(({ afterTheFact, experiment }) =>
      afterTheFact === true ? [experiment] : [],
    );
    return changed.length === 0
      ? []
      : [
          `${id}: judged after the fact and not counted, because changed after the run: ${changed.join(' / ')}`,
        ];
  });
}

function withoutPath(run: FoundRun): StudyRun {
  return studyRunSchema.parse(run);
}

function commonest(names: readonly string[]): string | null {
  const counts = [...Map.groupBy(names, (name) => name)].map(
    ([name, those]) => [name, those.length] as const,
  );
  return counts.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Runs of experiments in a folder. */
function runsIn(folder: string): {
  readonly runs: readonly FoundRun[];
  readonly passedOver: readonly string[];
} {
  const passedOver: string[] = [];
  const runs = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'plan.json')))
    .flatMap(({ name }): FoundRun[] => {
      try {
        const directory = openRunDirectory(join(folder, name));
        if (presetNamed(directory.plan.name)?.experiment === undefined) return [];
        const { records } = directory.journal();
        if (records.length === 0) return [];
        return [{ ...studyRunOfRecords(directory.plan, records, directory.environment()), path: name }];
      } catch (thrown) {
        if (!(thrown instanceof H2h3Error) || thrown.code !== 'bad-input') throw thrown;
        passedOver.push(`passed over: ${thrown.message}`);
        return [];
      }
    });
  return { runs, passedOver };
}
