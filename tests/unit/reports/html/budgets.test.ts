import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { judgeBudgets } from '../../../../src/analyse/gate/judge-budgets.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { generateRun } from '../../../support/generated-run.ts';

test('a run with budgets says on top whether they are kept, and lists each, what is exceeded first', async () => {
  const { plan, records } = generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    blocks: 8,
    plan: { budgets: ['plt<3s', 'plt<2500ms'] },
    alter: (record) => {
      Object.assign(record.metrics, { pltMs: 2600 + 10 * record.blockIndex });
      return record;
    },
  });
  const summary = summarise(plan, records, null, []);
  const text = await renderHtmlReport(summary, { budgets: judgeBudgets(plan, records) });
  const [top = '', section = ''] = text.split('id="budgets"');
  assert.match(top, /<a href="#budgets">2 of 4 budgets are exceeded/);
  const outcomes = [...section.matchAll(/<\/span> (exceeded|kept|undecided)<\/span>/g)].map(
    ([, word]) => word,
  );
  assert.deepEqual(outcomes, ['exceeded', 'exceeded', 'kept', 'kept']);
  assert.doesNotMatch(await renderHtmlReport(summary), /#budgets/);
});
