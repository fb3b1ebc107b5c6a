import { H2h3Error } from '../src/core/model/errors.ts';
import type { Summary } from '../src/core/model/summary.ts';

/** The newest schema of a summary that these renderers know. */
const knownSchemaVersion = 1;

const lists = ['headline', 'workloads', 'comparisons', 'troubles', 'sessions', 'warnings'] as const;

/**
 * Refuses what is no summary, or one of a newer h2h3. Missing or non-finite numbers are no reason to refuse:
 * renderers show them as missing.
 * @throws H2h3Error `bad-input`
 */
export function checkSummary(value: unknown): asserts value is Summary {
  const got = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  const version = got?.['schemaVersion'];
  if (typeof version === 'number' && version > knownSchemaVersion) {
    throw new H2h3Error(
      'bad-input',
      'This summary was made by a newer h2h3 and cannot be shown by this one.',
      {
        context: { expected: `schemaVersion ${knownSchemaVersion}`, got: `schemaVersion ${version}` },
        next: 'Update h2h3, or make the summary again from the run directory: npx h2h3 analyse DIR',
      },
    );
  }
  const absent = lists.filter((name) => !Array.isArray(got?.[name]));
  if (version !== knownSchemaVersion || absent.length > 0 || typeof got?.['run'] !== 'object') {
    throw new H2h3Error('bad-input', 'This is not a summary of a run.', {
      context: {
        expected: `schemaVersion ${knownSchemaVersion} with run, ${lists.join(', ')}`,
        got:
          version === knownSchemaVersion
            ? `no ${absent.join(', ') || 'run'}`
            : `schemaVersion ${String(version)}`,
      },
      next: 'Make the summary again from the run directory: npx h2h3 analyse DIR',
    });
  }
}
