import type { TrialEvidence } from '../../model/derive.ts';
import type { ReplayLedger } from '../../model/raw-trial.ts';
import type { Replay } from '../../model/workload.ts';
import type { NetworkObject } from '../derive/network-object.ts';
import { invalid, type Finding } from './finding.ts';

interface Miss {
  readonly method: string;
  readonly url: string;
  /** Word of the Fetch standard or of the browser's events for what it was asked for. */
  readonly destination: string;
  /** Of what never reached the origin: the browser's reason. */
  readonly error?: string;
}

/** HTML, CSS, JavaScript, fonts and images, as browsers call them in `Sec-Fetch-Dest` and in their events. */
const essential =
  /^(document|iframe|frame|fencedframe|subdocument|script|worker|sharedworker|serviceworker|audioworklet|paintworklet|style(sheet)?|font|image|imageset)$/i;
const namedInReason = 3;

/**
 * A recorded site's requests that had no answer: those that the origin says so of, and those that never got there
 * because no host of the archive was asked. A recorded error status is an answer.
 */
function missesOf(ledger: ReplayLedger, objects: readonly NetworkObject[]): Miss[] {
  const known = new Set(ledger.misses.map(({ url }) => url));
  const unanswered = objects
    .filter(({ status, url }) => status <= 0 && !known.has(url))
    .flatMap(({ method, url, resourceType, error }) =>
      error === undefined ? [] : { method, url, destination: resourceType, error },
    );
  return [...ledger.misses, ...unanswered].filter(({ url }) => new URL(url).pathname !== '/favicon.ico');
}

/** More unanswered requests than the workload allows make it another page than the recorded one. */
export function missFindings(
  limits: Replay,
  ledger: ReplayLedger | undefined,
  objects: readonly NetworkObject[],
): readonly Finding[] {
  if (ledger === undefined) return [invalid('no ledger of the origin: unanswered requests are not known')];
  const misses = missesOf(ledger, objects);
  const essentials = misses.filter(({ destination }) => essential.test(destination));
  const findings: Finding[] = [];
  if (essentials.length > limits.essentialMisses) {
    findings.push(
      invalid(
        `${counted(essentials.length)} for HTML, CSS, JavaScript, fonts or images had no answer (allowed: ${limits.essentialMisses}): ${names(essentials)}`,
      ),
    );
  }
  const answered = Object.values(ledger.answered).reduce((sum, count) => sum + count, 0);
  const share = misses.length / Math.max(1, answered + misses.length);
  if (share > limits.missShare) {
    findings.push(
      invalid(
        `${(share * 100).toFixed(1)} % of the requests had no answer (allowed: ${(limits.missShare * 100).toFixed(1)} %): ${names(misses)}`,
      ),
    );
  }
  return findings;
}

/** Every miss by name, whether or not it made the trial invalid. */
export function missWarnings(
  { workload, raw: { ledger } }: TrialEvidence,
  objects: readonly NetworkObject[],
): readonly string[] {
  if (workload.replay === undefined || ledger === undefined) return [];
  return missesOf(ledger, objects).map(
    ({ method, url, destination, error }) =>
      `${error === undefined ? 'not in the archive' : 'unanswered'}: ${method} ${url}${destination === '' ? '' : ` (${destination})`}${because(error)}`,
  );
}

function counted(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}

function names(misses: readonly Miss[]): string {
  const shown = misses.slice(0, namedInReason).map(({ url, error }) => url + because(error));
  return shown.join(', ') + (misses.length > shown.length ? ', …' : '');
}

function because(error: string | undefined): string {
  return error === undefined ? '' : `: ${error}`;
}
