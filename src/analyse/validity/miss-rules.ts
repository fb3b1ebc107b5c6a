import type { TrialEvidence } from '../../core/model/derive.ts';
import type { FoundAnswer, ReplayLedger } from '../../core/model/raw-trial.ts';
import type { Replay } from '../../core/model/workload.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { givenUpUnsent } from '../derive/har-of-timelines.ts';
import { invalid, type Finding } from './finding.ts';

interface Miss {
  readonly method: string;
  readonly url: string;
  /** Word of the Fetch standard or of the browser's events for what it was asked for. */
  readonly destination: string;
  /** Of what never reached the origin: the browser's reason. */
  readonly error?: string;
}

/**
 * HTML, CSS, JavaScript, fonts and images, as browsers call them in `Sec-Fetch-Dest`, in their events, and in their timelines, which
 * name what asked: `css` is a font or an image of a style sheet.
 */
const essential =
  /^(document|link|css|img|input|iframe|frame|fencedframe|subdocument|script|worker|sharedworker|serviceworker|audioworklet|paintworklet|style(sheet)?|font|image|imageset)$/i;
const namedInReason = 3;
/** A page that asks for something new for ever must not fill the report. */
const namedInWarnings = 20;

/** What the page or the browser gave up by itself is no answer that failed to come. */
const givenUp = new RegExp(`ERR_ABORTED|NS_BINDING_ABORTED|NS_ERROR_ABORT|^${givenUpUnsent}`);
/** Answers that are a guess: of another request, or made for somebody else. They are limited like misses. */
const guesses: readonly FoundAnswer[] = ['overlap', 'other-headers'];
/** Without `Vary`, what another browser was sent would be exact: it is what was recorded, and the same in all blocks. */
const recorded: readonly FoundAnswer[] = ['exact', 'other-browser'];

const words: Readonly<Record<Exclude<FoundAnswer, 'exact' | 'miss'>, string>> = {
  'same-query': 'answered by the same query in another order',
  'volatile-query': 'answered by the same request but for times, random numbers or tokens',
  'other-browser': 'answered by what another browser was sent',
  'after-last': 'answered by the last of several recorded answers, once more',
  'part-of-whole': 'answered by a part of a whole that was recorded',
  'other-headers': 'guessed: answered by what was sent for other headers',
  overlap: 'guessed: answered by the most similar recorded request',
  lacking: 'not answered, as was said when it was recorded that a replay cannot',
};

/**
 * A recorded site's requests that had no answer: those that the origin says so of, and those that never got there
 * because no host of the archive was asked. A recorded error status is an answer, and what failed in the original
 * may fail again.
 */
function missesOf(limits: Replay, ledger: ReplayLedger, objects: readonly NetworkObject[]): Miss[] {
  const known = new Set(ledger.misses.map(({ url }) => url));
  const isExpected = failsAsRecorded(limits);
  const unanswered = objects
    .filter(({ status, url, error }) => status <= 0 && !known.has(url) && !givenUp.test(error ?? ''))
    .flatMap(({ method, url, resourceType, error }) =>
      error === undefined ? [] : { method, url, destination: resourceType, error },
    );
  return [...ledger.misses, ...unanswered].filter(
    ({ url }) => new URL(url).pathname !== '/favicon.ico' && !isExpected(url),
  );
}

/**
 * Whether the recording has no answer to an address either, so that a replay need have none. Queries of what failed differ from
 * load to load as other queries do: the path says what it is. Of what is no recorded site nothing is.
 */
export function failsAsRecorded(
  replay: Pick<Replay, 'expectedFailures' | 'deadHosts'> | undefined,
): (url: string) => boolean {
  if (replay === undefined) return () => false;
  const parsed = replay.expectedFailures.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  const hosts = new Set(replay.deadHosts);
  const paths = new Set(parsed.map(({ origin, pathname }) => origin + pathname));
  return (url) => {
    const { host, origin, pathname } = new URL(url);
    return hosts.has(host) || paths.has(origin + pathname);
  };
}

/** More unanswered requests than the workload allows, or answers that are not exact, make it another page than the recorded one. */
export function missFindings(
  limits: Replay,
  ledger: ReplayLedger | undefined,
  objects: readonly NetworkObject[],
): readonly Finding[] {
  if (ledger === undefined)
    return [invalid('no-evidence', 'no ledger of the origin: unanswered requests are not known')];
  const misses = missesOf(limits, ledger, objects);
  const unnamed = Math.max(0, (ledger.missed ?? ledger.misses.length) - ledger.misses.length);
  const guessed = ledger.inexact.filter(({ found }) => guesses.includes(found));
  const unsure = [...misses, ...guessed];
  return [
    ...essentialFindings(limits, unsure),
    ...shareFindings(limits, ledger, { misses: misses.length + unnamed, named: unsure }),
  ];
}

function essentialFindings(limits: Replay, unsure: readonly Miss[]): Finding[] {
  const essentials = unsure.filter(({ destination }) => essential.test(destination));
  if (essentials.length <= limits.essentialMisses) return [];
  return [
    invalid(
      'replay-unanswered',
      `${counted(essentials.length)} for HTML, CSS, JavaScript, fonts or images had no answer, or a guessed one (allowed: ${limits.essentialMisses}): ${names(essentials)}`,
    ),
  ];
}

function shareFindings(
  limits: Replay,
  { answered, inexact }: ReplayLedger,
  { misses, named }: { readonly misses: number; readonly named: readonly Miss[] },
): Finding[] {
  const countOf = (kinds: readonly string[]): number =>
    kinds.reduce((sum, kind) => sum + (answered[kind] ?? 0), 0);
  const again = triedAgain(inexact);
  const all = Math.max(1, countOf(Object.keys(answered)) + misses - again);
  const unsureShare = (misses + countOf(guesses)) / all;
  const notExact = countOf(Object.keys(answered)) - countOf(recorded);
  const unlike = inexact.filter(({ found }) => !recorded.includes(found));
  const inexactShare = (notExact - again) / all;
  const shareWords = (share: number, limit: number, what: string, which: readonly Miss[]): string =>
    `${percent(share)} of the requests ${what} (allowed: ${percent(limit)}): ${names(which)}`;
  const { missShare, inexactShare: allowedInexact } = limits;
  const findings: Finding[] = [];
  if (unsureShare > missShare)
    findings.push(
      invalid(
        'replay-unanswered',
        shareWords(unsureShare, missShare, 'had no answer, or a guessed one', named),
      ),
    );
  if (inexactShare > allowedInexact)
    findings.push(
      invalid(
        'replay-inexact',
        shareWords(inexactShare, allowedInexact, 'had an answer that is not exactly theirs', unlike),
      ),
    );
  return findings;
}

/** A page that is refused a web socket tries again for as long as it is looked at: that is one thing that lacks. */
function triedAgain(inexact: ReplayLedger['inexact']): number {
  const lacking = inexact.filter(({ found }) => found === 'lacking').map(({ url }) => url);
  return lacking.length - new Set(lacking).size;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Every miss and every answer that is not exact by name, as far as names help, and how many more there were. */
export function missWarnings(
  { workload, raw: { ledger } }: TrialEvidence,
  objects: readonly NetworkObject[],
): readonly string[] {
  if (workload.replay === undefined || ledger === undefined) return [];
  const misses = missesOf(workload.replay, ledger, objects).map(
    (miss) => `${miss.error === undefined ? 'not in the archive' : 'unanswered'}: ${described(miss)}`,
  );
  const missed = misses.length + Math.max(0, (ledger.missed ?? 0) - ledger.misses.length);
  const inexact = ledger.inexact.map(
    (line) =>
      `${line.found in words ? words[line.found as keyof typeof words] : line.found}: ${described(line)}`,
  );
  const answered = Object.entries(ledger.answered);
  const inexactCount = answered.reduce((sum, [kind, count]) => (kind === 'exact' ? sum : sum + count), 0);
  return [
    ...limited(misses, missed, 'requests without an answer'),
    ...limited(inexact, inexactCount, 'answers that are not exact'),
  ];
}

function limited(lines: readonly string[], count: number, what: string): string[] {
  const named = lines.slice(0, namedInWarnings);
  return count > named.length ? [...named, `${count - named.length} more ${what}`] : named;
}

function described({ method, url, destination, error }: Miss): string {
  return `${method} ${url}${destination === '' ? '' : ` (${destination})`}${because(error)}`;
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
