import { sentenceCase } from '../../src/core/model/sentence-case.ts';
import { metricDefinition } from '../../src/core/metrics/registry.ts';

/** How a report speaks of a metric. */
export interface MetricWords {
  /** Title as in a heading. */
  readonly title: string;
  /** One sentence that says what is measured; empty for a metric that is not known here. */
  readonly meaning: string;
}

function fromName(name: string): string {
  const spaced = name
    .replace(/(Ms|Kbps|Mbps|Percent|Seconds|Bytes)$/, '')
    .replace(/[._-]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
  return spaced === '' ? name : spaced;
}

/** Words for a metric; one that the catalogue does not have is spelled out from its name. */
export function metricWords(name: string): MetricWords {
  const { title, meaning } = metricDefinition(name) ?? { title: fromName(name), meaning: '' };
  return {
    title: sentenceCase(title),
    meaning,
  };
}
