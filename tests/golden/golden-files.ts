import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { format } from 'prettier';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import { environmentSchema } from '../../src/core/model/environment.ts';
import { planSchema } from '../../src/core/model/plan.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readJournal } from '../../src/store/journal.ts';

const file = (name: string): URL => new URL(`runs/basic/${name}`, import.meta.url);
const recordedDir = fileURLToPath(new URL('runs/recorded/', import.meta.url));

export function readGolden(name: string): string {
  return readFileSync(file(name), 'utf8');
}

/** JSON is laid out by prettier, which puts what is short on one line. */
export async function writeGolden(name: string, text: string): Promise<void> {
  const layout = { parser: 'json', printWidth: 320 };
  writeFileSync(file(name), name.endsWith('.json') ? await format(text, layout) : text);
}

/** The summary of the stored plan, journal and environment. */
export function summariseGoldenRun(): Summary {
  const plan = planSchema.parse(JSON.parse(readGolden('plan.json')));
  const environment = environmentSchema.parse(JSON.parse(readGolden('environment.json')));
  // It was written before reasons had codes, as journals of users were.
  const { records, warnings } = readJournal(fileURLToPath(file('journal.jsonl')));
  return summarise(plan, records, environment, warnings);
}

/** What is derived from the stored evidence of real trials: trial id to status, metrics and warnings. */
export async function deriveGoldenTrials(): Promise<Record<string, unknown>> {
  const derived: Record<string, unknown> = {};
  for (const trialId of readdirSync(recordedDir).sort())
    derived[trialId] = await deriveTrial(readEvidence(join(recordedDir, trialId)));
  return derived;
}

/**
 * The report of the golden summary as a reader's browser has it, a line an element: without styles and scripts, which
 * have tests of their own, and without the data that scripts draw from, which are the summary again.
 */
export async function renderGoldenReport(): Promise<string> {
  const html = await renderHtmlReport(summariseGoldenRun());
  const body = html.slice(html.indexOf('<body>'));
  return `${body
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/>\s*</g, '>\n<')
    .trim()}\n`;
}

/**
 * JSON with numbers to nine significant digits: the last bits of logarithms may differ between machines,
 * and nothing that a reader sees depends on them.
 */
export function goldenJson(value: unknown): string {
  const round = (_key: string, field: unknown): unknown =>
    typeof field === 'number' && !Number.isInteger(field) ? Number(field.toPrecision(9)) : field;
  return JSON.stringify(value, round);
}
