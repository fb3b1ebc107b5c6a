import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderJunit } from '../../../../reports/junit/render-junit.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

describe('JUnit', () => {
  test('fails exactly the primary comparisons that are worse has no case for secondary ones, and counts what it holds', () => {
    const summary = summaryFixture({ pages: 20, seed: 3, troubles: 6 });
    const text = renderJunit(summary);
    const worse = summary.comparisons.filter(({ primary, verdict }) => primary && verdict === 'worse').length;
    const undecided = summary.comparisons.filter(
      ({ primary, verdict }) => primary && verdict === 'inconclusive',
    ).length;
    const failed = summary.troubles.filter(({ status }) => status === 'failed').length;
    assert.equal(text.match(/<failure /g)?.length ?? 0, worse);
    assert.equal(text.match(/<error /g)?.length ?? 0, failed);
    assert.equal(text.match(/<skipped /g)?.length ?? 0, undecided + summary.troubles.length - failed);
    const tests = [...text.matchAll(/ tests="(\d+)"/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    assert.equal(tests, text.match(/<testcase /g)?.length);
  });

  test('is well-formed whatever the names hold', () => {
    const summary = summaryFixture({ pages: 1, troubles: 1 });
    const troubles = summary.troubles.map((trial) => ({ ...trial, reason: `"<&>\u0000\u001b[31m\ud800]]>` }));
    const text = renderJunit({ ...summary, troubles });
    assert.match(text, /message="invalid: &quot;&lt;&amp;&gt;\ufffd\ufffd\[31m\ufffd\]\]&gt;"/);
  });

  test('names lost trials by what they were, not by an id', () => {
    const xml = renderJunit(summaryFixture({ troubles: 3 }));
    assert.match(
      xml,
      /classname="Trials that did not count" name="Page Atlas 1, HTTP\/3, block 1, Chromium 156, /,
    );
    assert.doesNotMatch(xml, /trouble-\d/);
  });
});
