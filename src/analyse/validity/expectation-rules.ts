import type { TrialEvidence } from '../../core/model/derive.ts';
import type { ExpectedRequest } from '../../core/model/expected-load.ts';
import { isBlocked } from '../../core/model/live-address.ts';
import { leftOutOf } from '../../core/model/workload.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { placeKey } from '../derive/expected-load.ts';
import { invalid, type Finding } from './finding.ts';

/** Enough to recognise a page by. */
const namedRequests = 3;
/** So many loads of an app must have asked for something before one that does not is another page. */
const minLoadsOfApp = 2;

/**
 * What earlier loads of the page by the same arm had, and this one had otherwise: a request that was not made, or one that was
 * answered and is now refused. A live page may change by the hour, so of it nothing must be.
 */
export function expectationFindings(
  { expected, workload }: TrialEvidence,
  objects: readonly NetworkObject[],
): readonly Finding[] {
  if (expected === undefined || workload.live !== undefined) return [];
  const refused = objects.flatMap((object) => refusal(object, expected.requests));
  const missing = missingRequests({ expected, workload }, objects);
  const isKnown = workload.app === undefined || expected.loads >= minLoadsOfApp;
  if (missing.length === 0 || !isKnown) return refused;
  return [
    ...refused,
    invalid(
      'requests-missing',
      `${missing.length} of the requests that earlier loads made are missing: ${named(missing)}`,
    ),
  ];
}

/** In one sentence what a live page, or an app that is hardly known yet, did not ask for this time. */
export function expectationWarnings(
  evidence: TrialEvidence,
  objects: readonly NetworkObject[],
): readonly string[] {
  const { expected, workload } = evidence;
  if (expected === undefined) return [];
  const isJudged =
    workload.live === undefined && (workload.app === undefined || expected.loads >= minLoadsOfApp);
  const missing = isJudged ? [] : missingRequests({ expected, workload }, objects);
  return missing.length === 0
    ? []
    : [
        `${missing.length} of the requests that earlier loads made were not made this time: ${named(missing)}`,
      ];
}

function missingRequests(
  {
    expected,
    workload,
  }: Pick<TrialEvidence, 'workload'> & {
    readonly expected: NonNullable<TrialEvidence['expected']>;
  },
  objects: readonly NetworkObject[],
): readonly ExpectedRequest[] {
  const made = new Set(objects.map(placeKey));
  const places = new Map(
    expected.requests
      .filter(({ isInEveryLoad, url }) => isInEveryLoad && !isBlocked(url, leftOutOf(workload)))
      .map((request) => [placeKey(request), request]),
  );
  return [...places].flatMap(([key, request]) => (made.has(key) ? [] : [request]));
}

/** Only errors that no other rule takes for one: an app may refuse a request each time. */
function refusal(object: NetworkObject, requests: readonly ExpectedRequest[]): Finding[] {
  const before = requests.find(({ method, url }) => method === object.method && url === object.url);
  const wasFine = before !== undefined && before.status >= 200 && before.status < 400;
  if (!wasFine || object.status < 400 || object.browserMade) return [];
  return [
    invalid(
      'answer-changed',
      `${object.url} was answered with status ${object.status}, and with ${before.status} in an earlier load`,
    ),
  ];
}

function named(requests: readonly ExpectedRequest[]): string {
  const urls = requests.slice(0, namedRequests).map(({ url }) => url);
  return [...urls, ...(requests.length > namedRequests ? ['…'] : [])].join(', ');
}
