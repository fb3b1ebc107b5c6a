import { H2h3Error } from '../../core/model/errors.ts';
import { metricDefinition, metricNames } from '../../core/metrics/registry.ts';
import { readYaml, writtenWords } from '../../plan/yaml-text.ts';
import { readInput } from '../../core/system/read-input.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';

function marginError(file: string, metric: string, message: string): H2h3Error {
  return new H2h3Error('bad-input', `${file}: ${metric}: ${message}`, { context: { file } });
}

/** `3%` as 0.03, or a plain number above zero; undefined for anything else. */
export function parseMargin(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim());
  const value = match ? Number(match[1]) / (match[2] === '%' ? 100 : 1) : NaN;
  return value > 0 ? value : undefined;
}

/** A margin for every primary metric, such as `3%`. @throws H2h3Error `usage` for what is no share below 1 */
export function shareOfMargin(text: string): number {
  const margin = parseMargin(text);
  if (margin !== undefined && margin < 1) return margin;
  throw new H2h3Error('usage', `--margin wants a share such as 3% or 0.03, got "${text}"`);
}

/**
 * Practical margins by metric: YAML or JSON such as `{pltMs: 3%, stallTotalMs: 100}`. Metrics compared by ratio
 * take a share, the others a number in their unit.
 *
 * @throws H2h3Error `bad-input` naming the file and the metric
 */
export function readMarginsFile(file: string): Record<string, number> {
  const next = 'Write a margin a line, such as `pltMs: 3%` or `stallTotalMs: 100`.';
  const { value } = readYaml(readInput(file, { what: 'margins', next }).toString('utf8'), file);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new H2h3Error('bad-input', `${file} holds no margins`, {
      context: { file, expected: 'metric: margin, a line each' },
    });
  return Object.fromEntries(
    Object.entries(value).map(([metric, written]) => {
      const definition = metricDefinition(metric);
      if (definition === undefined)
        throw marginError(
          file,
          metric,
          `is no metric; ${didYouMean(metric, metricNames, '`npx h2h3 describe metrics` lists them')}`,
        );
      const words = writtenWords(written);
      if (words === null) throw marginError(file, metric, 'holds no margin, such as 3% or 100');
      const margin = parseMargin(words);
      if (margin === undefined) throw marginError(file, metric, `"${words}" is no margin above zero`);
      if (definition.form === 'difference' && words.includes('%'))
        throw marginError(
          file,
          metric,
          `is compared by difference and wants a number of ${definition.unit || 'its unit'}`,
        );
      return [metric, margin];
    }),
  );
}
