import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { withoutSecrets } from '../../core/model/secrets.ts';
import { installCommand, isInstalled } from '../../core/system/optional-package.ts';
import { ownVersion, packageDir } from '../version.ts';
import { nightGauges, type Measurement } from './night-measurements.ts';
import { givenAddress } from '../plan/given-address.ts';
import { addressOfHttp, type NotifyContext } from './notify.ts';

/** The exporter tries again for so long, with growing pauses, where a collector is too busy or not there. */
const exportLimitMs = 60_000;

const packageNames = ['@opentelemetry/sdk-metrics', '@opentelemetry/exporter-metrics-otlp-http'] as const;

async function loadSdk() {
  try {
    const [metrics, otlp, resources] = await Promise.all([
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-metrics-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { ...metrics, ...otlp, ...resources };
  } catch (thrown) {
    const lacking = packageNames.filter((name) => !isInstalled(name));
    throw new H2h3Error('unsupported', `OpenTelemetry needs its SDK: ${messageOf(thrown)}`, {
      cause: thrown,
      ...(lacking.length === 0 ? {} : { next: `\`${lacking.map(installCommand).join(' && ')}\`` }),
    });
  }
}

/**
 * Where a collector is: `--otlp`, else the variable that every program with OpenTelemetry reads; null: nowhere.
 *
 * @throws H2h3Error `usage` for what is no address, `unsupported` without the SDK
 */
export async function collectorOf(
  flag: string | undefined,
  environment: NotifyContext['environment'],
): Promise<string | null> {
  const address =
    flag === undefined ? environment['OTEL_EXPORTER_OTLP_ENDPOINT'] : givenCollector(flag, environment);
  if (address === undefined || address === '') return null;
  addressOfHttp('the collector (--otlp)', address);
  await loadSdk();
  return address;
}

function givenCollector(flag: string, environment: NotifyContext['environment']): string {
  return givenAddress('--otlp', flag, {
    environment,
    like: 'https://${USER}:${PASSWORD}@collector.example:4318',
  });
}

/**
 * Hands the measurements to a collector by OTLP over HTTP. Headers, such as a key, come from `OTEL_EXPORTER_OTLP_HEADERS`,
 * which the SDK reads itself. One that cannot be reached costs the night nothing: the reason is said, without the address.
 */
export async function exportMeasurements(
  measurements: readonly Measurement[],
  collector: string,
  { environment, say }: NotifyContext,
): Promise<void> {
  const secrets = [collector, new URL(collector).host, environment['OTEL_EXPORTER_OTLP_HEADERS'] ?? ''];
  const known = secrets.filter((secret) => secret !== '');
  try {
    await send(measurements, `${collector.replace(/\/+$/, '')}/v1/metrics`);
    say(`OpenTelemetry: ${measurements.length} measurements told`);
  } catch (thrown) {
    say(`OpenTelemetry: not told: ${withoutSecrets(messageOf(thrown), known)}`);
  }
}

async function send(measurements: readonly Measurement[], url: string): Promise<void> {
  const sdk = await loadSdk();
  class OnceReader extends sdk.MetricReader {
    protected override onForceFlush(): Promise<void> {
      return Promise.resolve();
    }
    protected override onShutdown(): Promise<void> {
      return Promise.resolve();
    }
  }
  const reader = new OnceReader();
  const version = ownVersion(packageDir());
  const provider = new sdk.MeterProvider({
    resource: sdk.resourceFromAttributes({ 'service.name': 'h2h3', 'service.version': version }),
    readers: [reader],
  });
  const exporter = new sdk.OTLPMetricExporter({ url, timeoutMillis: exportLimitMs });
  try {
    const meter = provider.getMeter('h2h3', version);
    for (const { name, description } of nightGauges) {
      const gauge = meter.createGauge(name, { description });
      for (const measured of measurements.filter((measurement) => measurement.name === name))
        gauge.record(measured.value, { ...measured.attributes });
    }
    const { resourceMetrics } = await reader.collect();
    await new Promise<void>((resolve, reject) => {
      exporter.export(resourceMetrics, ({ error }) => (error === undefined ? resolve() : reject(error)));
    });
  } finally {
    await exporter.shutdown();
    await provider.shutdown();
  }
}
