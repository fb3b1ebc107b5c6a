import assert from 'node:assert/strict';
import { test } from 'node:test';
import { experiments, presetNamed } from '../../../../src/app/presets/registry.ts';
import { studyLeads } from '../../../../src/app/studies/leads.ts';

test('the claim that answers a study’s question and the figure that shows it are there', () => {
  const experimentOf = (id: string) => experiments().find((each) => each.id === id);
  assert.equal(studyLeads.length, 4);
  for (const { study, claim, figure } of studyLeads) {
    const asked = experimentOf(claim.id);
    const shown = experimentOf(figure.id);
    assert.deepEqual([asked?.study, shown?.study], [study, study]);
    const { published = [] } = presetNamed(asked?.preset ?? '')?.plan ?? {};
    assert.ok(
      published.some(({ experiment }) => experiment === claim.experiment),
      claim.experiment,
    );
    assert.ok(
      shown?.figures.some(({ place }) => place === figure.place),
      figure.place,
    );
  }
});
