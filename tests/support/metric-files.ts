import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { MetricDefinition } from '../../src/model/metrics.ts';
import { metricDefinitions, metricDocument } from '../../src/analyse/metrics/metric-document.ts';

const head = `import type { MetricDefinition } from './metrics.ts';

/**
 * What every part of the project may know of the metrics: all but how they are computed. Written by \`npm run metrics\`
 * out of the files in src/analyse/metrics; change those, not this list.
 */
// prettier-ignore
export const metricList: readonly MetricDefinition[] = [
`;

/** One line a metric. */
function asLine(definition: MetricDefinition): string {
  const parts = Object.entries(definition).map(([key, value]) => `${key}: ${literal(value)}`);
  return `  { ${parts.join(', ')} },\n`;
}

function literal(value: unknown): string {
  const text = JSON.stringify(value);
  return text
    .replaceAll(/"((?:[^"\\'])*)"/g, "'$1'")
    .replaceAll(',', ', ')
    .replaceAll(',  ', ', ');
}

/** The files that are made of the metrics, by path below the project. */
export async function generatedFiles(): Promise<readonly (readonly [string, string])[]> {
  const texts = [
    ['docs/metrics.md', metricDocument()],
    ['src/model/metric-list.ts', `${head}${metricDefinitions().map(asLine).join('')}];\n`],
  ] as const;
  return Promise.all(
    texts.map(async ([file, text]) => {
      const filepath = join(import.meta.dirname, '../..', file);
      const options = await resolveConfig(filepath);
      return [file, await format(text, { ...options, filepath })] as const;
    }),
  );
}
