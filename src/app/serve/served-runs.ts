import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { renderRunComparison } from '../../../reports/html/compare/render-run-comparison.ts';
import { renderRunIndex } from '../../../reports/html/index/render-run-index.ts';
import { messageOf } from '../../core/model/errors.ts';
import { isRunFolder, readRuns } from '../../store/run-index.ts';
import { comparisonOf } from '../analyse/compare.ts';
import { answerFile, answerPage, answerPlain } from './http-answer.ts';
import { ProgressReader } from './read-progress.ts';
import { openRunFile } from './run-file.ts';
import { ServedRun } from './served-run.ts';

/** `34 of 120 trials done`, of the runs that go on. */
function progressIn(parent: string, folders: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    folders.flatMap((folder) => {
      try {
        const { counts, planned } = new ProgressReader(join(parent, folder)).progress();
        const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
        return [[folder, `${done} of ${planned} trials done.`] as const];
      } catch {
        return []; // a run that cannot be read is in the list with its reason
      }
    }),
  );
}

/** All runs of a folder as a server shows them: the list at `/`, each run below `/FOLDER/`, two compared at `/compare`. */
export class ServedRuns {
  readonly #parent: string;
  readonly #progressPage: string;
  readonly #runs = new Map<string, ServedRun>();

  constructor(parent: string, progressPage: string) {
    this.#parent = parent;
    this.#progressPage = progressPage;
  }

  async answer({ origin, pathname, searchParams }: URL, response: ServerResponse): Promise<void> {
    if (pathname === '/') answerPage(response, await this.#list());
    else if (pathname === '/compare') await this.#compare(searchParams, response);
    else this.#answerRun(origin, pathname, response);
  }

  end(): void {
    for (const run of this.#runs.values()) run.end();
  }

  async #list(): Promise<string> {
    const runs = readRuns(this.#parent);
    const running = runs.filter(({ state }) => state === 'running').map(({ folder }) => folder);
    return renderRunIndex(runs, { served: true, progress: progressIn(this.#parent, running) });
  }

  /** What is compared is named by the reader, so that runs that differ are shown with what they differ in. */
  async #compare(asked: URLSearchParams, response: ServerResponse): Promise<void> {
    const [a, b] = ['a', 'b'].map((side) => this.#folderOf(asked.get(side) ?? ''));
    if (a === undefined || b === undefined || a === b) {
      answerPlain(response, 404, 'Two runs of this folder are compared: /compare?a=FOLDER&b=FOLDER.');
      return;
    }
    try {
      const comparison = await comparisonOf(join(this.#parent, a), join(this.#parent, b));
      answerPage(response, await renderRunComparison(comparison));
    } catch (thrown) {
      answerPlain(response, 422, `These runs cannot be compared: ${messageOf(thrown)}`);
    }
  }

  #answerRun(origin: string, pathname: string, response: ServerResponse): void {
    const [, encoded = '', ...rest] = pathname.split('/');
    const folder = this.#folderOf(encoded);
    if (folder === undefined) {
      answerPlain(response, 404, 'No such run in this folder.');
      return;
    }
    const ownRun = `${origin}/${encodeURIComponent(folder)}/`;
    if (rest.length === 0) response.writeHead(302, { location: `/${encodeURIComponent(folder)}/` }).end();
    else if (['', 'events', 'run'].includes(rest[0] ?? ''))
      this.#runOf(folder).answer(`/${rest.join('/')}`, response, ownRun);
    else answerFile(response, openRunFile(join(this.#parent, folder), rest.join('/')));
  }

  #runOf(folder: string): ServedRun {
    const known = this.#runs.get(folder);
    if (known !== undefined) return known;
    const run = new ServedRun(join(this.#parent, folder), this.#progressPage);
    this.#runs.set(folder, run);
    return run;
  }

  /** A folder of a run right in the served one; nothing for any other name. */
  #folderOf(name: string): string | undefined {
    let folder: string;
    try {
      folder = decodeURIComponent(name);
    } catch {
      return undefined; // a broken escape names no folder
    }
    if (folder === '' || folder === '.' || folder === '..' || /[/\\\0]/.test(folder)) return undefined;
    const path = join(this.#parent, folder);
    return existsSync(path) && isRunFolder(path) ? folder : undefined;
  }
}
