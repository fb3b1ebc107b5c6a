import { readFileSync, writeFileSync } from 'node:fs';
import { summarise } from '../../src/analyse/summarise.ts';
import { environmentSchema } from '../../src/model/environment.ts';
import { planSchema } from '../../src/model/plan.ts';
import { trialRecordSchema } from '../../src/model/record.ts';
import type { Summary } from '../../src/model/summary.ts';

const file = (name: string): URL => new URL(`runs/basic/${name}`, import.meta.url);

export function readGolden(name: string): string {
  return readFileSync(file(name), 'utf8');
}

export function writeGolden(name: string, text: string): void {
  writeFileSync(file(name), text);
}

/** The summary of the stored plan, journal and environment. */
export function summariseGoldenRun(): Summary {
  const plan = planSchema.parse(JSON.parse(readGolden('plan.json')));
  const environment = environmentSchema.parse(JSON.parse(readGolden('environment.json')));
  const lines = readGolden('journal.jsonl').trimEnd().split('\n');
  const records = lines.map((line) => trialRecordSchema.parse(JSON.parse(line)));
  return summarise(plan, records, environment, []);
}

/**
 * JSON with numbers to nine significant digits: the last bits of logarithms may differ between machines,
 * and nothing that a reader sees depends on them.
 */
export function goldenJson(value: unknown): string {
  const round = (_key: string, field: unknown): unknown =>
    typeof field === 'number' && !Number.isInteger(field) ? Number(field.toPrecision(9)) : field;
  return `${JSON.stringify(value, round, 1)}\n`;
}
