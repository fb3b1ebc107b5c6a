import { endMsOf } from './evidence/disturbances.ts';
import type { Metric, MetricValue } from './metric.ts';
import type { CourseInput } from './metric-inputs.ts';

/** What asks and acknowledges is smaller; of a page's data there is a packet at least. */
const leastBytes = 1000;

function resume(course: CourseInput): MetricValue {
  const { binMs, bytes, disturbances } = course;
  const [first] = disturbances;
  if (first === undefined || endMsOf(course) <= first.toMs) return undefined;
  const firstBin = Math.ceil(first.toMs / binMs);
  const bin = bytes.findIndex((count, index) => index >= firstBin && count >= leastBytes);
  return bin < 0 ? undefined : bin * binMs - first.toMs;
}

export const outageResumeMs: Metric = {
  name: 'outageResumeMs',
  title: 'time until data flows after an outage',
  meaning:
    'From the end of the first outage or burst of loss to the first packets of data, in steps of 50 ms.',
  unit: 'ms',
  form: 'difference',
  margin: 100,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download'],
  onDeadline: 'missing',
  formulas: { course: resume },
};
