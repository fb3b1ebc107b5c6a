import type { ProgressReporter } from '../../core/model/workload.ts';

type Step = Parameters<ProgressReporter>[0];

/**
 * Several works at a time whose steps are one line of progress: the step that each is at, in the order in which they
 * began. Returns what runs one of them; its steps are in the line until it ends.
 */
export function oneLineProgress(
  report: ProgressReporter,
): <Result>(work: (progress: ProgressReporter) => Promise<Result>) => Promise<Result> {
  const steps = new Map<object, Step>();
  const show = (): void => {
    const all = [...steps.values()];
    const [only] = all;
    if (all.length === 1 && only !== undefined) return report(only);
    const shares = all.flatMap(({ fraction }) =>
      fraction === undefined ? [] : [`${Math.floor(fraction * 100)} %`],
    );
    report({
      title: all.map(({ title }) => title).join('; '),
      ...(shares.length === 0 ? {} : { detail: shares.join(', ') }),
    });
  };
  return async (work) => {
    const own = {};
    try {
      return await work((step) => {
        steps.set(own, step);
        show();
      });
    } finally {
      steps.delete(own);
    }
  };
}
