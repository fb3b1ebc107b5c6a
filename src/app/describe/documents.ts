import { z } from 'zod';
import { agreementSchema } from '../../core/model/agreement.ts';
import { budgetReportSchema } from '../../core/model/budget.ts';
import { calibrationSchema } from '../../core/model/calibration.ts';
import { environmentSchema } from '../../core/model/environment.ts';
import { gateSchema } from '../../core/model/gate.ts';
import { planSchema } from '../../core/model/plan.ts';
import { trialRecordSchema } from '../../core/model/record.ts';
import { runComparisonSchema } from '../../core/model/run-comparison.ts';
import { studiesSchema } from '../../core/model/studies.ts';
import { summarySchema } from '../../core/model/summary.ts';
import { planFileJsonSchema } from '../../plan/plan-file.ts';

/** A document that people and other programs read or write, with its JSON Schema. */
export interface PublishedDocument {
  readonly id: string;
  /** Where it is found. */
  readonly document: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const documents: readonly (readonly [string, string, z.ZodType])[] = [
  ['plan', 'plan.json of a run', planSchema],
  ['environment', 'environment.json of a run', environmentSchema],
  ['record', 'a line of journal.jsonl', trialRecordSchema],
  ['summary', 'summary.json of a run', summarySchema],
  ['gate', 'gate.json of a gate', gateSchema],
  ['budgets', 'budgets.json of a run with budgets', budgetReportSchema],
  ['comparison', 'the JSON of compare', runComparisonSchema],
  ['calibration', 'results/calibration/*.json', calibrationSchema],
  ['studies', 'studies.json', studiesSchema],
  ['agreement', 'agreement.json of reproduce', agreementSchema],
];

/** Every document that is published, the plan file first, which is the one that people write. */
export function publishedDocuments(): PublishedDocument[] {
  return [
    { id: 'plan-file', document: 'a plan file, YAML or JSON', schema: planFileJsonSchema() },
    ...documents.map(([id, document, schema]) => ({
      id,
      document,
      schema: { ...z.toJSONSchema(schema, { unrepresentable: 'any' }), title: `h2h3: ${document}` },
    })),
  ];
}

/** The entry that a catalogue of schemas takes, for editors that look schemas up by the name of a file. */
export function catalogueEntry(address: string): object {
  return {
    name: 'h2h3 plan',
    description: 'What h2h3 measures: workloads, arms, networks, repetitions',
    fileMatch: ['h2h3.config.yaml', 'h2h3.config.yml', '*.h2h3.yaml'],
    url: address,
  };
}
