import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchRow } from '../../../../harness/bench/bench-row.ts';
import { probeCostTable } from '../../../../src/app/bench/probe-cost-table.ts';

const group = 'probe cost' as const;
const where = 'chromium, h3, ethernet-1g';
const of = (id: string) => ({ group, subject: `${where}: ${id}`, probe: { id, where } });

test('each probe is a line with what it adds, its bound, and whether it may stand in judged trials', () => {
  const cost = (probe: string, values: number[], percent: number) => [
    benchRow({ ...of(probe), quantity: 'added load time', unit: 'ms', values }),
    benchRow({
      ...of(probe),
      unit: '%',
      values: [percent],
      quantity: 'added load time, upper 95 % bound',
    }),
    benchRow({
      ...of(probe),
      unit: 'ms',
      values: [4, 5],
      quantity: 'added CPU time of the browser',
    }),
  ];
  const table = probeCostTable([
    benchRow({ ...of('none'), quantity: 'load time', unit: 'ms', values: [90] }),
    ...cost('packets', [-0.5, 0.2, 1], 1.34),
    ...cost('trace', [8, 9, 12], 14.2),
    benchRow({
      ...of('kernel'),
      quantity: 'cost',
      unit: 'ms',
      values: [],
      note: 'the probe kernel recorded nothing: there is no perf',
    }),
  ]).split('\n');
  assert.equal(table.length, 5);
  assert.equal(
    table[2],
    '| `packets` | chromium, h3, ethernet-1g | +0.2 ms (−0.5 to +1.0) | 1.3 % | +4.5 ms (+4.0 to +5.0) | 3 | yes |',
  );
  assert.match(table[3] ?? '', /^\| `trace` .*\| 14\.2 % .*\| no \|$/);
  assert.match(table[4] ?? '', /^\| `kernel` .*there is no perf/);
});

test('rows without probes make no table', () => {
  assert.throws(() => probeCostTable([]), /--only probes|not measured/);
});
