/**
 * Every reason for which a trial does not count or a comparison is not decided: its code, by which programs go, and what it
 * says where it names no object and no figure. Codes are only ever added: an older h2h3 shows the text of one that it does not know.
 */
export const reasonTexts = {
  // Trials that were not run.
  budget: 'budget',
  traffic: 'an arm has loaded as much as it may',
  decided: 'everything primary was decided',
  'spare-block': 'spare block, not needed',
  'lease-lost': 'lease lost',
  'no-record': 'its shard left no record of it',
  // Trials that could not be run, or did not run to their end.
  deadline: 'deadline',
  'not-offered': 'machine, client or server cannot do it',
  'trial-error': 'the trial ended with an error',
  'part-died': 'a part of the testbed died during the trial',
  'evidence-unreadable': 'the evidence of the trial could not be read',
  'evidence-unkept': 'the evidence of the trial could not be kept',
  'page-unfinished': 'the page did not come to its end',
  'page-error': 'the page reported an error',
  'injected-fault': 'a fault that was asked for',
  // Trials whose machine or network was another one.
  'path-delayed': 'the emulated path did not keep up',
  'unlike-delays': 'not delayed alike in all arms',
  'packets-lost': 'packets were lost that the emulated path did not drop',
  'network-changed': 'a network interface or an address of this machine came or went during the trial',
  'idle-crosstraffic': 'the other client did not load the link',
  'ecn-differs': 'packets were not marked for ECN as the arm says',
  'flight-differs': 'the server’s first flight is not as the arm says',
  'cpus-differ': 'the client had other CPUs than the arm says',
  'messages-late': 'the page sent its messages late',
  // Trials whose protocol or content is not proven.
  'no-evidence': 'what would prove the trial is missing',
  'wrong-protocol': 'not over the protocol of the arm',
  'wrong-cipher': 'not over the cipher suite of the arm',
  'other-transport': 'packets over the other transport',
  'family-differs': 'not over the version of IP of the arm',
  'resumption-differs': 'the session was not resumed as the arm says',
  'discovery-differs': 'HTTP/3 was not found as the arm says',
  'priority-sent': 'priorities in an arm without',
  'object-failed': 'an object failed',
  'object-refused': 'an object was answered with an error status',
  'from-cache': 'an object came from the browser’s cache',
  'not-logged': 'not in the server’s log',
  'log-differs': 'the server’s log says otherwise',
  'not-in-har': 'in the server’s log and not in the HAR',
  'bytes-missing': 'the download is not whole',
  'requests-missing': 'requests that earlier loads made are missing',
  'answer-changed': 'the answer is not that of earlier loads',
  'under-way': 'an answer was still under way at the end of the load',
  'proxy-differs': 'proxy and server do not say the same',
  'replay-unanswered': 'requests without an answer, or with a guessed one',
  'replay-inexact': 'requests with an answer that is not exactly theirs',
  'messages-differ': 'the messages are not those that were sent',
  'upload-differs': 'what came is not what was uploaded',
  'app-silent': 'the app gave no answer',
  'header-lost': 'a header did not reach the app',
  'playback-differs': 'player and server do not say the same',
  // Comparisons that are not decided.
  'no-pairs': 'no block has a value in both arms',
  'too-few-blocks': 'too few blocks',
  'unequal-losses': 'unequal losses',
  'ladder-saturated': 'ladder-saturated',
  'not-significant': 'not significant after adjustment',
  'hosts-disagree': 'hosts disagree',
  'crosses-margin': 'interval crosses the margin',
  'no-interim-yet': 'no interim analysis was due yet',
  'recording-may-have-made-it': 'recording may have made it',
  'recording-unknown': 'recording not measured',
  'driver-unknown': 'what the script’s library adds was not measured',
  'interception-unknown': 'what is asked of the browser adds time that was not measured',
  'recorded-alone': 'only one arm was recorded',
  'paints-after-load': 'the first paint comes after the load event',
  'too-little-exposure': 'too little was seen to rule out a difference of rates',
  'exposure-unknown': 'how much was watched is not recorded: an older h2h3 made this run',
  'sessions-too-short': 'sessions of less than a minute are too short for a verdict about stalls or quality',
  'nothing-at-risk':
    'nothing was at risk: no session of the baseline stalled, and each kept its track once it had settled',
  'audience-left-out': 'too much of the audience was not measured',
  'audiences-differ': 'the runs are of unlike audiences',
  'no-run-variation': 'run-to-run variation is not measured here',
  'no-value-in-run': 'one of the runs has no value',
  // Published results that a run does not decide.
  'losses-could-turn': 'lost trials could change the direction',
  'no-published-range': 'there is no published range of percent to lie in',
} as const;

export type ReasonCode = keyof typeof reasonTexts;

export interface Reason {
  readonly code: ReasonCode;
  /** For people; nothing goes by it. */
  readonly text: string;
  /** What programs read of it besides the code. */
  readonly facts?: ReasonFacts;
}

export type ReasonFacts = Readonly<Record<string, string | number>>;

/** How a document has a reason: the code may be of a newer version, and is absent in documents of before there were codes. */
export interface WrittenReason {
  readonly reason?: string | undefined;
  readonly reasonCode?: string | undefined;
  readonly reasonFacts?: Record<string, string | number> | undefined;
}

/** @param text with objects and figures; by default what the code says without */
export function reasonOf(code: ReasonCode, text: string = reasonTexts[code], facts?: ReasonFacts): Reason {
  return { code, text, ...(facts === undefined ? {} : { facts }) };
}

/** The fields of a document for a reason; none where there is none. */
export function writtenReason(reason: Reason | undefined): WrittenReason {
  if (reason === undefined) return {};
  const { code, text, facts } = reason;
  return { reason: text, reasonCode: code, ...(facts === undefined ? {} : { reasonFacts: { ...facts } }) };
}

/** Whether a document's reason is one of these. */
export function hasReason({ reasonCode }: WrittenReason, ...codes: readonly ReasonCode[]): boolean {
  return codes.some((code) => code === reasonCode);
}

/** A code that this version knows; undefined of others. */
export function knownCode(code: string | undefined): ReasonCode | undefined {
  return code !== undefined && Object.hasOwn(reasonTexts, code) ? (code as ReasonCode) : undefined;
}
