import type { Summary } from '../../core/model/summary.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { flameGraphsOf } from './flame-graphs.ts';
import { timeLinesOf } from './time-lines.ts';

/**
 * A summary whose differences have what their trials recorded besides their times: flame graphs and time lines. What cannot be
 * read is a warning.
 */
export function withRecordings(directory: RunDirectory, summary: Summary): Summary {
  const { diagnosis } = summary;
  if (diagnosis === undefined) return summary;
  const { records } = directory.journal();
  const warnings: string[] = [];
  const complain = (line: string): void => void warnings.push(line);
  const recorded = diagnosis.map((entry) => {
    const flameGraphs = flameGraphsOf(entry, records, directory, complain);
    const timeLines = timeLinesOf(entry, records, directory, complain);
    return {
      ...entry,
      ...(flameGraphs.length === 0 ? {} : { flameGraphs }),
      ...(timeLines.length === 0 ? {} : { timeLines }),
    };
  });
  return { ...summary, diagnosis: recorded, warnings: [...summary.warnings, ...warnings] };
}
