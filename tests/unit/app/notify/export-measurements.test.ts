import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { z } from 'zod';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { collectorOf, exportMeasurements } from '../../../../src/app/notify/export-measurements.ts';
import { measurementsOf, nightGauges } from '../../../../src/app/notify/night-measurements.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { startBusyListener, type BusyListener } from '../../../support/busy-listener.ts';
import { generateGateRun } from '../../../support/gate-run.ts';
import { projectDir } from '../../../support/cli.ts';

const attributeSchema = z.object({ key: z.string(), value: z.object({ stringValue: z.string() }) });
/** What a collector reads of OTLP in JSON (opentelemetry-proto, metrics/v1). */
const requestSchema = z.object({
  resourceMetrics: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              gauge: z.object({
                dataPoints: z.array(
                  z
                    .object({
                      attributes: z.array(attributeSchema),
                      asDouble: z.number().optional(),
                      asInt: z.number().optional(),
                    })
                    .transform(({ attributes, asDouble, asInt }) => ({
                      attributes: Object.fromEntries(
                        attributes.map(({ key, value }) => [key, value.stringValue]),
                      ),
                      value: asDouble ?? asInt,
                    })),
                ),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

const collector = (t: TestContext, statuses: readonly number[]): Promise<BusyListener> =>
  startBusyListener(t, { statuses, secret: 'tenant-secret-31' });

const summaryOfNight = (): Summary => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h3': 1.3 } });
  return summarise(plan, records, null, []);
};

test('a collector that was too busy gets medians, verdicts and outcome of a night, and no log its address', async (t) => {
  const { url, sent: asked } = await collector(t, [503]);
  const summary = summaryOfNight();
  const said: string[] = [];
  const measurements = measurementsOf({ outcome: 'worse', exitCode: 1 }, summary);
  await exportMeasurements(measurements, url, { environment: {}, say: (line) => void said.push(line) });
  assert.deepEqual(
    asked.map(({ path }) => path),
    ['/tenant-secret-31/v1/metrics', '/tenant-secret-31/v1/metrics'],
  );
  const [sent] = requestSchema.parse(JSON.parse(asked[1]?.body ?? '')).resourceMetrics;
  assert.ok(sent?.resource.attributes.some(({ value }) => value.stringValue === 'h2h3'));
  const metrics = sent?.scopeMetrics[0]?.metrics ?? [];
  const pointsOf = (name: string) => metrics.find((one) => one.name === name)?.gauge.dataPoints ?? [];
  assert.deepEqual(
    pointsOf('h2h3.gate.outcome').filter(({ value }) => value === 1),
    [{ attributes: { outcome: 'worse' }, value: 1 }],
  );
  const primaries = summary.comparisons.filter(({ primary }) => primary);
  assert.ok(primaries.length > 0);
  for (const { metric, workload, baseline, candidate, verdict } of primaries) {
    const isOf = ({ attributes }: { attributes: Record<string, string> }): boolean =>
      attributes['metric'] === metric && attributes['workload'] === workload;
    const medians = pointsOf('h2h3.metric.median').filter(
      (point) => isOf(point) && point.attributes['arm'] === candidate.arm,
    );
    const known = summary.comparisons
      .filter((one) => one.metric === metric && one.workload === workload)
      .flatMap((one) => [one.baseline, one.candidate])
      .filter(({ arm }) => arm === candidate.arm)
      .toSorted((a, b) => b.n - a.n);
    assert.deepEqual(
      medians.map(({ value }) => value),
      [known[0]?.median],
    );
    const verdicts = pointsOf('h2h3.comparison.verdict').filter(
      (point) =>
        isOf(point) &&
        point.attributes['baseline'] === baseline.arm &&
        point.attributes['candidate'] === candidate.arm &&
        point.value === 1,
    );
    assert.deepEqual(
      verdicts.map(({ attributes }) => attributes['verdict']),
      [verdict],
    );
  }
  for (const { name, gauge } of metrics)
    for (const { attributes } of gauge.dataPoints)
      assert.deepEqual(
        Object.keys(attributes).toSorted(),
        nightGauges.find((one) => one.name === name)?.attributes.toSorted(),
        name,
      );
  assert.deepEqual(said, [`OpenTelemetry: ${measurements.length} measurements told`]);
});

test('a collector that refuses costs the night nothing, and what is said of it holds no secret', async (t) => {
  const { url, sent: asked } = await collector(t, [401]);
  const said: string[] = [];
  const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=key-5521' };
  const measurements = measurementsOf({ outcome: 'failed', exitCode: 3 }, null);
  await exportMeasurements(measurements, url, { environment, say: (line) => void said.push(line) });
  assert.equal(asked.length, 1, 'a refusal is taken as it is');
  assert.match(said.join(), /^OpenTelemetry: not told: ./);
  assert.doesNotMatch(said.join(), /tenant-secret-31|key-5521|127\.0\.0\.1/);
});

test('the collector is named by a flag or by the variable of every program with OpenTelemetry', async () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318', KEY: 'abc' };
  assert.equal(await collectorOf(undefined, {}), null);
  assert.equal(await collectorOf(undefined, environment), 'http://collector.test:4318');
  assert.equal(await collectorOf('https://other.test/${KEY}', environment), 'https://other.test/abc');
  await assert.rejects(() => collectorOf('ftp://secret-77.test', {}), {
    message: 'the collector (--otlp) is no address of http or https',
  });
  await assert.rejects(() => collectorOf('https://other.test/${NONE}', {}), {
    message: 'the variable NONE is not set, and --otlp needs what it holds',
  });
});

/** Every `expr` in a dashboard. */
function queriesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(queriesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'expr' && typeof inner === 'string' ? [inner] : queriesIn(inner),
  );
}

test('the dashboard asks for nothing but what a night tells, in queries that Prometheus can read', () => {
  const file = join(projectDir, 'examples/nightly/grafana-dashboard.json');
  const dashboard = JSON.parse(readFileSync(file, 'utf8')) as {
    panels: { title: string; targets: unknown[] }[];
    templating: { list: { name: string; query?: unknown }[] };
  };
  const variables = dashboard.templating.list.map(({ name }) => name);
  const lists = dashboard.templating.list.flatMap(({ query }) =>
    typeof query === 'string' ? (/^label_values\((.+), (\w+)\)$/.exec(query)?.[1] ?? []) : [],
  );
  const queries = [...queriesIn(dashboard), ...lists];
  const asked = new Set<string>();
  for (const query of queries) {
    for (const [, name] of query.matchAll(/\$(\w+)/g))
      assert.ok(['__range', '__interval'].includes(name ?? '') || variables.includes(name ?? ''), query);
    let gauge: (typeof nightGauges)[number] | undefined;
    parser.parse(query).iterate({
      enter: ({ type, from, to }) => {
        const text = query.slice(from, to);
        assert.ok(!type.isError, `not readable at ${from}: ${query}`);
        if (type.name === 'VectorSelector') {
          const [selected = ''] = /^[a-z_0-9]+/.exec(text) ?? [];
          gauge = nightGauges.find(({ name }) => name.replaceAll('.', '_') === selected);
          assert.ok(gauge, `no night tells ${selected}`);
          asked.add(gauge.name);
        }
        if (type.name === 'LabelName')
          assert.ok(
            gauge?.attributes.some((one) => one === text),
            `${gauge?.name} has no ${text}`,
          );
      },
    });
  }
  assert.deepEqual([...asked].toSorted(), nightGauges.map(({ name }) => name).toSorted());
});
