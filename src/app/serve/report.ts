import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRunDirectory } from '../../store/run-directory.ts';
import { isRunning } from '../../store/run-lock.ts';
import type { AppContext } from '../app-context.ts';
import { publishIndex } from '../report/publish-index.ts';
import { requireRecords, writeReports, writeSummary } from '../report/publish.ts';
import { serveReport, serveReports, type ReportServer } from './serve-report.ts';

export interface ReportOptions {
  /** Write the list of runs into the folder that the run lies in, whatever folder that is. Default: no. */
  readonly index?: boolean | undefined;
  /** Address at which the run's folder is published: where `report.md` finds report and pictures. Default: next to it. */
  readonly publishedAt?: string | undefined;
  /** Write what ITU-T P.1203 takes of each session into the trial's folder. Default: no. */
  readonly p1203Input?: boolean | undefined;
}

/**
 * Renders every report of a run directory again; returns the path of `report.html`.
 *
 * @throws H2h3Error `bad-input` for a folder without a readable run
 */
export async function report(
  path: string,
  { progress }: Pick<AppContext, 'progress'>,
  { index = false, publishedAt, p1203Input = false }: ReportOptions = {},
): Promise<string> {
  const directory = openRunDirectory(path);
  requireRecords(directory);
  const say = (line: string): void => progress.say(line);
  if (p1203Input) {
    const { writeP1203Inputs } = await import('../report/p1203-input.ts');
    say(`P.1203 input of ${writeP1203Inputs(directory)} sessions: ${directory.path}/trials/*/p1203.json`);
  }
  const page = await writeReports(directory, writeSummary(directory), say, publishedAt);
  if (index) await publishIndex(dirname(directory.path));
  return page;
}

/**
 * Serves what lies in a folder on this machine: the report of a run, or the list of all runs that the folder holds.
 *
 * @param port default 7323, or a free one
 * @throws H2h3Error `bad-input` where there is neither
 */
export async function serveFolder(
  path: string,
  port: number | undefined,
  context: Pick<AppContext, 'progress'>,
): Promise<ReportServer & { readonly shows: 'runs' | 'progress' | 'report' }> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder && !existsSync(join(path, 'plan.json')))
    return { ...(await serveReports(path, port)), shows: 'runs' };
  const { running, ...server } = await serveRun(path, port, context);
  return { ...server, shows: running ? 'progress' : 'report' };
}

/**
 * Serves the report of a run on this machine, with live progress while the run goes on; the caller closes it.
 *
 * @param port default 7323, or a free one
 */
export async function serveRun(
  path: string,
  port: number | undefined,
  context: Pick<AppContext, 'progress'>,
): Promise<ReportServer & { readonly running: boolean }> {
  const directory = openRunDirectory(path);
  const running = isRunning(directory.path);
  const rendered = existsSync(join(directory.path, 'report.html'));
  if (!running && !rendered && directory.journal().records.length > 0) await report(path, context);
  return { ...(await serveReport(path, port)), running };
}
