import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderJson } from '../../../../reports/json/render-json.ts';
import { summarySchema } from '../../../../src/model/summary.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

test('JSON is the summary itself and satisfies its schema', () => {
  const summary = summaryFixture();
  assert.deepEqual(summarySchema.parse(JSON.parse(renderJson(summary))), summary);
});
