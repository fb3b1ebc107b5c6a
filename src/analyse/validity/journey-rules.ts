import type { TrialEvidence } from '../../core/model/derive.ts';
import { isBlocked } from '../../core/model/live-address.ts';
import { leftOutOf, type PreparedWorkload } from '../../core/model/workload.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';

/** A request that its page gave up, as every page does with what is under way when the next one is loaded. */
export const isAborted = ({ error }: NetworkObject): boolean => /abort|NS_BINDING/i.test(error ?? '');

/**
 * What makes a journey another one than the one that was meant: a page that answered with an error, an object that
 * did not come or that its server failed at. Applications answer with 4xx in the ordinary course (who is not logged in, what is not there yet):
 * that is told, and the script's own expectations decide.
 */
export function journeyFindings(
  objects: readonly NetworkObject[],
  workload: Pick<PreparedWorkload, 'live' | 'app'> = {},
): readonly Finding[] {
  return objects
    .filter(({ browserMade, url }) => !browserMade && !isBlocked(url, leftOutOf(workload)))
    .filter((object) => object.error !== undefined && !isAborted(object))
    .filter(({ status, resourceType }) => status < 400 || status >= 500 || resourceType === 'document')
    .map((object) => invalid('object-failed', `${object.url} failed: ${object.error}`));
}

/** Steps that led to another page, steps whose network never went quiet, refused requests. */
export function journeyWarnings(
  { raw: { journey = [], error, outcome }, workload }: TrialEvidence,
  objects: readonly NetworkObject[],
): readonly string[] {
  const own = 'url' in workload.entry ? new URL(workload.entry.url).origin : undefined;
  const named = ({ name, where }: (typeof journey)[number]): string => `step "${name}" (${where})`;
  const refused = objects.filter(({ status, browserMade }) => status >= 400 && status < 500 && !browserMade);
  return [
    ...(outcome === 'deadline' && error !== undefined ? [error.message] : []),
    ...journey
      .filter(({ origin }) => own !== undefined && origin !== own)
      .map((step) => `${named(step)} ended at ${step.origin}, not at ${own}: that page was measured`),
    ...journey
      .filter(({ quiet }) => !quiet)
      .map((step) => `${named(step)}: requests were still under way when the next step began`),
    ...(refused.length === 0
      ? []
      : [
          `${refused.length} of ${objects.length} ${objects.length === 1 ? 'request' : 'requests'} ${refused.length === 1 ? 'was' : 'were'} answered with status 4xx, the first ${refused[0]?.url}`,
        ]),
  ];
}
