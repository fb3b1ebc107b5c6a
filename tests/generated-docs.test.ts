import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedDocs } from './support/generated-docs.ts';
import { projectDir } from './support/source-graph.ts';

test('what is made of registries for people to read is current (else: npm run docs)', async () => {
  for (const [file, text] of await generatedDocs())
    assert.equal(readFileSync(join(projectDir, file), 'utf8'), text, file);
});
