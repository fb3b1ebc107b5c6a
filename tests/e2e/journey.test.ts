import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Summary } from '../../src/core/model/summary.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { readRecords, readRunFile, runCli } from '../support/cli.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { application, scripts, secrets } from '../support/journey-site.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { textsBelow } from '../support/texts-below.ts';

for (const client of ['best', 'firefox'] as const)
  test(
    `a journey behind a log-in is measured step by step in ${client}, over both protocols`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const site = await startGuardedSite(t, application);
      const folder = tempFolder(t);
      const script = join(folder, 'shop.ts');
      writeFileSync(script, scripts[client]);
      const out = join(folder, 'run');
      const { code, stderr, stdout } = await runCli(
        [
          'run',
          ...site.visitedBy(client),
          '--script',
          script,
          '--repetitions',
          '1',
          '--exploratory',
          '--quick-start',
          '--out',
          out,
        ],
        { OWN_WORD: secrets.pass, OWN_NOTE: secrets.note },
      );
      assert.equal(code, 0, stderr);
      const records = readRecords(out);
      assert.deepEqual(
        records.map(({ instrumentation, status, reason }) => ({ instrumentation, status, reason })),
        ['instrumented', 'instrumented', 'uninstrumented', 'uninstrumented'].map((instrumentation) => ({
          instrumentation,
          status: 'ok',
          reason: undefined,
        })),
      );
      for (const { arm, metrics, steps = [] } of records) {
        assert.deepEqual(metrics.protocolShare, { [arm]: 1 }, 'every object of every step is proven');
        const [open, search, orders] = steps;
        assert.deepEqual(
          steps.map(({ name }) => name),
          ['open', 'search', 'orders'],
        );
        for (const loaded of [open, orders]) {
          const pltMs = loaded?.metrics['pltMs'];
          const stepMs = loaded?.metrics['stepMs'];
          assert.ok(typeof pltMs === 'number' && typeof stepMs === 'number');
          assert.ok(pltMs > 0 && pltMs <= stepMs + 1, `a load of ${pltMs} ms in a step of ${stepMs} ms`);
        }
        assert.equal(search?.metrics['pltMs'], undefined, 'the search loads no document');
        assert.ok(Number(search?.metrics['inpMs']) >= 40, 'the click was kept busy for 40 ms');
        assert.ok(Number(search?.metrics['softNavigationMs']) >= 40);
        assert.ok(Number(search?.metrics['objectCount']) >= 1, 'what the search asked for');
        const sum = steps.reduce((total, { metrics: { stepMs } }) => total + Number(stepMs), 0);
        assert.ok(Math.abs(Number(metrics['journeyMs']) - sum) < 0.01);
      }
      const summary = JSON.parse(readRunFile(out, 'summary.json')) as Summary;
      const compared = new Set(summary.comparisons.map(({ workload, metric }) => `${workload} ${metric}`));
      const [id = ''] = summary.workloads.map((workload) => workload.id);
      for (const each of ['journeyMs', ':open pltMs', ':search inpMs', ':orders stepMs'])
        assert.ok(compared.has(each.startsWith(':') ? id + each : `${id} ${each}`), each);
      assert.match(readRunFile(out, 'report.html'), /step “search”/);
      const written = [stdout, stderr, ...textsBelow(out)].join('\n');
      assert.deepEqual(
        Object.values(secrets).filter((secret) => written.includes(secret)),
        [],
      );
    },
  );
