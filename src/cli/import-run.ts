import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { historyRun } from '../analyse/history/history-run.ts';
import { gateSchema, type Gate } from '../model/gate.ts';
import type { HistoryRun } from '../model/history.ts';
import { openRunDirectory } from '../store/run-directory.ts';

function sha256(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\u0000')).digest('hex');
}

function readGate(file: string): Gate | null {
  if (!existsSync(file)) return null;
  const parsed = gateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : null;
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
  const journal = existsSync(journalFile) ? readFileSync(journalFile, 'utf8') : '';
  const gate = readGate(join(directory.path, 'gate.json'));
  return historyRun({
    // A run that crashed before its first trial has no beginning but its folder.
    runId: sha256(JSON.stringify(directory.plan), environment?.startedAt ?? directory.path).slice(0, 32),
    digest: sha256(journal, gate?.outcome ?? '').slice(0, 32),
    folder: relative(process.cwd(), directory.path),
    plan: directory.plan,
    environment,
    records,
    gate,
  });
}

/** Folders below `parent` that hold a run, in order of name; links such as `latest` are left out. */
export function runFoldersIn(parent: string): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(parent, entry.name, 'plan.json')))
    .map((entry) => resolve(parent, entry.name))
    .sort();
}
