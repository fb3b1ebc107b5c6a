import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, describeSubjects, jsonSchemaOf } from '../../../../src/app/describe/describe.ts';
import { planFileJsonSchema, planFileSchema } from '../../../../src/plan/plan-file.ts';
import { allPresets } from '../../../../src/app/presets/registry.ts';
import { createSetupContext } from '../../../../harness/tools/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { silent } from '../../../support/silent-progress.ts';
import { projectDir } from '../../../support/source-graph.ts';

test('everything that has a name has an id', async (t) => {
  const cacheDir = tempFolder(t);
  const { signal } = await createSetupContext({ projectDir, cacheDir });

  const environment = { H2H3_CACHE: cacheDir };
  const context = { projectDir, progress: silent, signal, command: 'test', environment };
  for (const subject of describeSubjects) {
    const rows = await describe(subject, context);
    assert.ok(rows.length > 0, subject);
    for (const { id } of rows) assert.equal(typeof id, 'string', subject);
  }
});

test('the schema of plan files knows every field, and no other', () => {
  const schema = planFileJsonSchema() as { properties: object; additionalProperties: boolean };
  assert.equal(schema.additionalProperties, false);
  const known = new Set(Object.keys(schema.properties));
  for (const { id, plan } of allPresets())
    for (const name of Object.keys(plan)) assert.ok(known.has(name), `${id}: ${name}`);
  assert.ok(known.has('$schema') && known.has('customNetworks'));
});

test('a plan file may name its schema', () => {
  const file = { $schema: './plan.schema.json', workloads: ['download-1mb'] };
  assert.equal(planFileSchema.parse(file).workloads[0], 'download-1mb');
  assert.ok(!planFileSchema.safeParse({ ...file, wrkloads: [] }).success);
});

test('every document of a run has a JSON Schema that names its fields, and an unknown one is asked for by its neighbours', () => {
  for (const [id, field] of [
    ['plan', 'trials'],
    ['summary', 'comparisons'],
    ['record', 'trialId'],
    ['environment', 'clients'],
    ['gate', 'outcome'],
    ['agreement', 'rows'],
  ] as const) {
    const { properties } = jsonSchemaOf(id) as { properties: object };
    assert.ok(field in properties, `${id} has ${field}`);
  }
  assert.throws(() => jsonSchemaOf('sumary'), /no document is called "sumary"/);
});
