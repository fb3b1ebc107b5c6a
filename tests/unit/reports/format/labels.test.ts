import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { armTitle, labelsOf } from '../../../../reports/format/labels.ts';
import { metricWords } from '../../../../reports/format/metric-words.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

describe('names in reports', () => {
  test('arms are named by protocol, repetition and browser', () => {
    assert.equal(armTitle('h3'), 'HTTP/3');
    assert.equal(armTitle('h2#2'), 'HTTP/2 (arm 2)');
    assert.equal(armTitle('chromium@148:h3'), 'HTTP/3 in Chromium 148');
    assert.equal(armTitle('something else'), 'something else');
  });

  test('ids become the names of the environment, and stay ids without one', () => {
    const summary = summaryFixture({ clients: ['chromium', 'firefox'] });
    assert.equal(labelsOf(summary).client('firefox'), 'Firefox 153');
    assert.match(labelsOf(summary).client('by-arm'), /each arm/);
    assert.equal(labelsOf(summary).workload('pooled', 'page'), 'All pages together');
    assert.equal(labelsOf({ ...summary, environment: null }).client('chromium'), 'chromium');
  });

  test('a metric that nobody has described is spelled out', () => {
    assert.deepEqual(metricWords('pltMs').title, 'Page load time');
    assert.deepEqual(metricWords('someNewThingMs'), { title: 'Some new thing', meaning: '' });
    assert.equal(metricWords('constructor').meaning, '');
  });
});
