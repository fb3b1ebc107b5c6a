import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { readLines } from '../../store/read-lines.ts';
import { historyRun } from '../../analyse/history/history-run.ts';
import { gateSchema, type Gate } from '../../core/model/gate.ts';
import type { HistoryRun } from '../../core/model/history.ts';
import { readDocument } from '../../store/read-document.ts';
import { openRunDirectory, runFoldersIn } from '../../store/run-directory.ts';

function sha256(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\u0000')).digest('hex');
}

function readGate(file: string): Gate | null {
  if (!existsSync(file)) return null;
  return readDocument(file, gateSchema, {
    what: 'the judgement of a gate',
    next: 'Write it anew with `npx h2h3 gate DIR`, or remove it.',
  });
}

/** The same as long as no record is added and the judgement stands. */
function digestOf(journalFile: string, outcome: string): string {
  const hash = createHash('sha256');
  if (existsSync(journalFile)) for (const { text } of readLines(journalFile)) hash.update(`${text ?? ''}\n`);
  return hash.update('\u0000').update(outcome).digest('hex').slice(0, 32);
}

/**
 * A run directory as the history takes it in. The same run has the same id wherever it lies: its plan and when it began.
 *
 * @throws H2h3Error `bad-input` for a folder without a readable run
 */
export function readHistoryRun(path: string): HistoryRun {
  const directory = openRunDirectory(path);
  const { records } = directory.journal();
  const environment = directory.environment();
  const journalFile = join(directory.path, 'journal.jsonl');
  const gate = readGate(join(directory.path, 'gate.json'));
  return historyRun({
    // A run that crashed before its first trial has no beginning but its folder.
    runId: sha256(JSON.stringify(directory.plan), environment?.startedAt ?? directory.path).slice(0, 32),
    digest: digestOf(journalFile, gate?.outcome ?? ''),
    folder: relative(process.cwd(), directory.path),
    plan: directory.plan,
    environment,
    records,
    gate,
  });
}

/**
 * The runs that a user means by these paths, each once: run directories, folders of runs, and, of what `results/*`
 * brings along, no files. A folder without any run stays in the list, so that it is named.
 */
export function runFoldersOf(paths: readonly string[]): string[] {
  const folders = paths
    .filter((path) => !(statSync(path, { throwIfNoEntry: false })?.isFile() === true && paths.length > 1))
    .flatMap((path) => {
      if (existsSync(join(path, 'plan.json'))) return [realpathSync(path)];
      const inside = runFoldersIn(path);
      const isOneOfMany = paths.length > 1 && basename(path) === 'calibration';
      return inside.length > 0 || isOneOfMany ? inside : [path];
    });
  return [...new Set(folders)];
}
