import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rerunCommand } from '../../../../reports/format/rerun-command.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const condition = { workload: 'page-1', client: 'chromium', network: 'dsl', server: 'caddy' };

function withRun(run: Partial<Summary['run']>): Summary {
  const summary = summaryFixture({ pages: 1 });
  return { ...summary, run: { ...summary.run, ...run } };
}

describe('the command that runs a lost condition again', () => {
  test('keeps preset, arms and seed, and replaces what chooses conditions', () => {
    const command =
      'h2h3 run web --sites all --arms h2,h3 --network dsl,cable --out=results/x --repetitions 20 --seed 5 --exploratory';
    assert.equal(
      rerunCommand(withRun({ command }), condition),
      'h2h3 run web --arms h2,h3 --seed 5 --workload page-1 --client chromium --network dsl --server caddy --repetitions 1 --exploratory',
    );
  });

  test('leaves the client to arms that name it, and quotes what a shell would take apart', () => {
    const command = rerunCommand(
      withRun({ command: 'h2h3 run web', arms: ['chromium@148:h3', 'chromium@149:h3'] }),
      {
        ...condition,
        network: "dsl; it's",
      },
    );
    assert.ok(command !== null);
    assert.doesNotMatch(command, /--client/);
    assert.ok(command.includes(String.raw`--network 'dsl; it'\''s'`), command);
  });

  test('is none where the parts have no names on a command line', () => {
    assert.equal(rerunCommand(withRun({ command: 'h2h3 run --url https://example.org' }), condition), null);
    assert.equal(rerunCommand(withRun({ command: 'something else' }), condition), null);
    assert.equal(rerunCommand({ ...withRun({}), grid: [] }, condition), null);
  });
});
