import { blockName } from '../../core/model/block-name.ts';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findFfmpeg } from '../../../harness/tools/ffmpeg.ts';
import { createSetupContext } from '../../../harness/tools/setup-context.ts';
import type { ReportFilm } from '../../../reports/html/sections/films.ts';
import { filmBlocks } from '../../analyse/requests/film-blocks.ts';
import type { FilmChoice } from '../../analyse/requests/film-blocks.ts';
import { armNameOfLabel } from '../../core/factors/arm-name.ts';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { isOfCondition } from '../../core/model/factor.ts';
import { namesOf } from '../../core/model/names.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import { framesFolder, readRaw } from '../../store/evidence.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { packageDir } from '../version.ts';
import { makeFilm } from './film.ts';
import type { FilmedLoad } from './film.ts';

/** Folder next to the report with its films. */
const filmFolder = 'film';
/** A larger film is not kept. */
const maxBytes = 3_000_000;

const whichWords = {
  typical: 'the block closest to the result',
  best: 'the best block for the candidate',
  worst: 'the worst block for the candidate',
} as const;

export interface FilmsMade {
  readonly films: readonly ReportFilm[];
  readonly warnings: readonly string[];
}

function loadsOf(
  directory: RunDirectory,
  { page, blockIndex }: FilmChoice,
  records: readonly TrialRecord[],
): FilmedLoad[] {
  return [page.baseline.arm, page.candidate.arm].flatMap((arm) => {
    const record = records.find(
      (record) =>
        record.arm === arm &&
        record.status === 'ok' &&
        record.instrumentation === 'instrumented' &&
        record.blockIndex === blockIndex &&
        isOfCondition(page, record),
    );
    if (record === undefined) return [];
    const trialDir = directory.trialDir(record.trialId);
    const frames = (readRaw(trialDir).frames ?? []).map(({ tMs, file }) => ({
      tMs,
      file: join(trialDir, framesFolder, file),
    }));
    // ffmpeg opens whatever lies there: a named pipe would be waited for.
    return frames.length === 0 || frames.some(({ file }) => !isPlainFile(file))
      ? []
      : [{ title: armNameOfLabel(arm), frames }];
  });
}

const isPlainFile = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;

/** Tells page, arms and block, so that the film of another choice is never taken for this one. */
function filmName({ page, which, blockIndex }: FilmChoice, repetitions: number): string {
  const words = [which, page.workload, page.client, page.network, page.baseline.arm, page.candidate.arm];
  return `${words.join('-').replaceAll(/[^A-Za-z0-9.-]+/g, '-')}-${blockName(blockIndex, repetitions).replaceAll(' ', '-')}`;
}

/** A run that went on may have other blocks that are worth a film: those of before go. */
function removeOthers(folder: string, films: readonly ReportFilm[]): void {
  if (!existsSync(folder)) return;
  const kept = new Set(films.flatMap(({ webm, webp }) => [webm, webp]));
  for (const name of readdirSync(folder))
    if (/\.web[mp]$/.test(name) && !kept.has(`${filmFolder}/${name}`))
      rmSync(join(folder, name), { force: true });
}

/** ffmpeg of the PATH, else the one that a run or `h2h3 setup` fetched; nothing where there is neither. */
async function findFilmTool(): Promise<string | undefined> {
  const cacheDir = process.env['H2H3_CACHE'];
  try {
    const setup = await createSetupContext({
      projectDir: packageDir(),
      ...(cacheDir === undefined ? {} : { cacheDir }),
    });
    return (await findFfmpeg(setup)).path;
  } catch (thrown) {
    if (thrown instanceof H2h3Error && ['unsupported', 'storage'].includes(thrown.code)) return undefined;
    throw thrown;
  }
}

interface FilmOrder {
  readonly film: ReportFilm;
  readonly choice: FilmChoice;
  /** WebM and WebP. */
  readonly files: readonly [string, string];
}

function orderOf(directory: RunDirectory, choice: FilmChoice, summary: Summary): FilmOrder {
  const name = filmName(choice, summary.run.repetitions);
  const webm = `${filmFolder}/${name}.webm`;
  const webp = `${filmFolder}/${name}.webp`;
  const title = `${namesOf(summary).workload(choice.page.workload, 'page')}, ${whichWords[choice.which]} (${blockName(choice.blockIndex, summary.run.repetitions)})`;
  return {
    film: { title, webm, webp },
    choice,
    files: [join(directory.path, webm), join(directory.path, webp)],
  };
}

/** Makes a film where its pictures are there. @throws Error where ffmpeg fails, or the film is too large to keep */
async function carryOut(
  { files: [webm, webp] }: FilmOrder,
  loads: readonly FilmedLoad[],
  ffmpegPath: string,
): Promise<void> {
  mkdirSync(dirname(webm), { recursive: true });
  // ffmpeg writes through a link; what takes a place afterwards takes the place of one.
  const fresh = mkdtempSync(join(dirname(webm), '.new-'));
  try {
    const made = { webm: join(fresh, basename(webm)), webp: join(fresh, basename(webp)) };
    await makeFilm({ ffmpegPath, loads, ...made });
    if (Object.values(made).some((file) => statSync(file).size > maxBytes))
      throw new Error(`it would be larger than ${maxBytes} bytes`);
    renameSync(made.webm, webm);
    renameSync(made.webp, webp);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Films of both arms side by side, next to the report; made once. What cannot be made is named and no reason to have no
 * report: there may be no ffmpeg, no font, or no pictures any more.
 */
export async function makeFilms(
  directory: RunDirectory,
  summary: Summary,
  records: readonly TrialRecord[],
): Promise<FilmsMade> {
  const orders = filmBlocks(summary).map((choice) => orderOf(directory, choice, summary));
  const films: ReportFilm[] = [];
  const warnings: string[] = [];
  let tool: Promise<string | undefined> | undefined;
  const folder = join(directory.path, filmFolder);
  // A link leads to films that are none of this run's.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(folder);
  for (const order of orders) {
    const { film, choice, files } = order;
    if (files.every(isPlainFile)) {
      films.push(film);
      continue;
    }
    try {
      const loads = loadsOf(directory, choice, records);
      if (loads.length < 2) continue;
      tool ??= findFilmTool();
      const ffmpegPath = await tool;
      if (ffmpegPath === undefined) continue;
      await carryOut(order, loads, ffmpegPath);
      films.push(film);
    } catch (thrown) {
      for (const file of files) rmSync(file, { force: true });
      warnings.push(`no film of ${film.title}: ${messageOf(thrown)}`);
    }
  }
  if (tool !== undefined && (await tool) === undefined)
    warnings.push('no film was made: there is no ffmpeg; `npx h2h3 setup` fetches one');
  removeOthers(folder, films);
  return { films, warnings };
}
