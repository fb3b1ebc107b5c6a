import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderAgreementMarkdown } from '../../../../reports/markdown/render-agreement.ts';
import { renderAgreementText } from '../../../../reports/terminal/render-agreement-text.ts';
import { agreementOf, agreementOfRuns } from '../../../../src/analyse/compare-runs/agreement.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { agreementSchema, type Agreement } from '../../../../src/core/model/agreement.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';

const environment = environmentFixture(['chromium'], ['host']);

function measured(options: Parameters<typeof generateRun>[0]): ReturnType<typeof summarise> {
  const { plan, records } = generateRun({ noise: 0.01, ...options });
  return summarise(plan, records, environment, []);
}

function kindsOf({ rows }: Agreement): Set<string> {
  return new Set(rows.filter(({ primary }) => primary).map(({ agreement }) => agreement));
}

test('the same effect measured twice agrees in direction at least, and in size where the estimates meet', () => {
  const agreement = agreementOfRuns(
    measured({ seed: 1, slowdown: { h3: 1.3 } }),
    measured({ seed: 2, slowdown: { h3: 1.3 } }),
  );
  agreementSchema.parse(agreement);
  assert.ok(agreement.rows.length > 0);
  assert.ok([...kindsOf(agreement)].every((kind) => kind.startsWith('agrees')));
  assert.equal(agreement.rows[0]?.primary, true);
});

test('an effect of another size agrees in direction alone, the opposite one differs', () => {
  const original = measured({ seed: 1, slowdown: { h3: 1.3 } });
  assert.deepEqual(
    kindsOf(agreementOfRuns(original, measured({ seed: 2, slowdown: { h3: 1.8 } }))),
    new Set(['agrees in direction']),
  );
  const opposite = agreementOfRuns(original, measured({ seed: 2, slowdown: { h3: 0.7 } }));
  assert.deepEqual(kindsOf(opposite), new Set(['differs']));
});

test('what one of the two has not decided is not decided', () => {
  assert.equal(agreementOf('worse', 'inconclusive', true), 'not decided');
  assert.equal(agreementOf('inconclusive', 'inconclusive', null), 'not decided');
  assert.equal(agreementOf('equivalent', 'equivalent', false), 'agrees');
  assert.equal(agreementOf('worse', 'worse', null), 'agrees in direction');
});

test('another build of the same version is named, one that is not known is not', () => {
  const { plan, records } = generateRun({ seed: 1 });
  const withDigest = (executableSha256?: string): ReturnType<typeof summarise> => {
    const servers = environment.servers.map((server) => ({
      ...server,
      ...(executableSha256 !== undefined && { executableSha256 }),
    }));
    return summarise(plan, records, { ...environment, servers }, []);
  };
  const buildsOf = (again: ReturnType<typeof summarise>): string[] =>
    agreementOfRuns(withDigest('ab'.repeat(32)), again).differences.flatMap(({ what }) =>
      what.startsWith('build of') ? [what] : [],
    );
  assert.deepEqual(buildsOf(withDigest('cd'.repeat(32))), ['build of caddy 2.11.9']);
  assert.deepEqual(buildsOf(withDigest('ab'.repeat(32))), []);
  assert.deepEqual(buildsOf(withDigest()), []);
});

test('page and terminal give the sum, each primary comparison, and what differs between the machines', () => {
  const agreement = agreementOfRuns(
    measured({ seed: 1, slowdown: { h3: 1.3 } }),
    measured({ seed: 2, slowdown: { h3: 0.7 } }),
  );
  const differing = { ...agreement, differences: [{ what: 'kernel', a: '6.1', b: '6.18', refuses: false }] };
  const page = renderAgreementMarkdown(differing);
  const text = renderAgreementText(differing, { columns: 100, colour: false });
  for (const words of [page, text]) {
    assert.match(words, /Of \d+ primary comparisons?: .*differs/);
    assert.match(words, /kernel/);
    assert.match(words, /HTTP\/3 against HTTP\/2/);
  }
});

test('what another machine calls itself, and names of its run, are no markup of the page', () => {
  const { rows, ...agreement } = agreementOfRuns(measured({ seed: 1 }), measured({ seed: 2 }));
  const markup = '<img src="https://evil.test/"> @octocat [a](b)';
  const page = renderAgreementMarkdown({
    ...agreement,
    rows: rows.map((row) => ({ ...row, workload: markup, client: markup, network: markup })),
    differences: [{ what: 'kernel', a: markup, b: `6.18\n# ${markup}`, refuses: false }],
  });
  assert.doesNotMatch(page, /(?<!\\)<img|@octocat|(?<!\\)\[a\]|^# \\?</m);
  assert.match(page, /\\<img/);
});
