import type { TrialEvidence } from '../../core/model/derive.ts';
import { isNetworkChange } from '../../core/model/network-change.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { withLostQuestions } from './discovery-rules.ts';
import { failed } from './finding.ts';
import type { Finding } from './finding.ts';
import { networkChangedText } from './network-change.ts';
import { withArrived } from './upload-rules.ts';

/** How Firefox words a stream that it aborted after the whole answer had come. */
const lostAnswer = 'TypeError: Error in input stream';

/** Every client that was tried takes a chain of this length over both protocols (docs/clients-and-servers.md). */
const takenByAllBytes = 9 * 1024;

/** Whether the trial ran to its end at all: its outcome, the load event, the page's own report. */
export function outcomeFindings(evidence: TrialEvidence): readonly Finding[] {
  const { raw, workload } = evidence;
  return endFindings(evidence).map((finding) =>
    withLostQuestions(withArrived(finding, raw, workload.upload), raw),
  );
}

function endFindings({ raw, workload, protocol }: TrialEvidence): readonly Finding[] {
  if (raw.outcome === 'deadline') return [failed('deadline', 'deadline')];
  if (raw.outcome === 'error') return [withChain(errorFinding(raw.error), raw)];
  if (workload.driver === 'script')
    return raw.journey?.length ? [] : [failed('page-unfinished', 'the script has no steps')];
  return workload.driver === 'session' ? sessionFindings(raw, protocol) : loadFindings(raw.timings);
}

function errorFinding(error: TrialEvidence['raw']['error']): Finding {
  if (!error) return failed('trial-error', 'the trial ended with an error that was not recorded');
  if (isNetworkChange(error.netError)) return failed('network-changed', networkChangedText);
  const tail = error.stderrTail ? `. Last lines: ${error.stderrTail}` : '';
  return {
    ...(error.code === 'unsupported'
      ? { status: 'unsupported', reasonCode: 'not-offered' }
      : { status: 'failed', reasonCode: 'trial-error' }),
    reason: `${error.message}${tail}`,
  };
}

/** Where no request came through, a long certificate chain is said: clients have limits and their own words for it. */
function withChain(finding: Finding, { serverLog, testbed }: RawTrial): Finding {
  const chainBytes = (testbed?.proxies[0] ?? testbed?.server)?.handshake?.chainBytes ?? 0;
  if (serverLog?.length !== 0 || chainBytes <= takenByAllBytes) return finding;
  const { reason, ...rest } = finding;
  const chain = `no request reached the server, which has a certificate chain of ${chainBytes} bytes`;
  return { ...rest, reason: `${chain}: ${reason}` };
}

function loadFindings(timings: TrialEvidence['raw']['timings']): readonly Finding[] {
  if (timings === null) return [failed('page-unfinished', 'the page left no timings')];
  return timings.loadEventEndMs > 0 ? [] : [failed('page-unfinished', 'the load event never fired')];
}

function sessionFindings(
  { session, browser }: TrialEvidence['raw'],
  protocol: TrialEvidence['protocol'],
): readonly Finding[] {
  if (session === null) return [failed('page-unfinished', 'the page reported no session')];
  if (session.kind === 'messages' && session.lacks !== undefined)
    return [
      {
        status: 'unsupported',
        reasonCode: 'not-offered',
        reason: `${browser?.name ?? 'this client'} ${browser?.version ?? ''} has no ${session.lacks}`,
      },
    ];
  const errors = (session.errors ?? []).map((said) => {
    const known =
      browser?.name === 'Firefox' && protocol === 'h2' && said.endsWith(lostAnswer)
        ? ' (known of Firefox over HTTP/2, where it receives faster than the page reads: docs/limits.md)'
        : '';
    return failed('page-error', `the page reported an error: ${said}${known}`);
  });
  const broken = session.kind === 'video' && session.outcome === 'error' && errors.length === 0;
  return broken
    ? [failed('page-error', 'the session ended with an error that the player did not name')]
    : errors;
}
