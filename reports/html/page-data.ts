import type { PageChanges } from '../../src/core/model/request-changes.ts';
import type { BlocksNeeded } from '../../src/core/model/blocks-needed.ts';
import type { Heterogeneity, Verdict } from '../../src/core/model/summary.ts';
import type { Judged } from '../format/verdict-words.ts';
import type { PagePatterns } from './page-patterns.ts';

/**
 * Comparisons without repetition: texts once in `texts`, rows as arrays in the order of `pack`. A run of 100 pages
 * and 20 metrics has 2 000 comparisons, and the page should stay below 3 MB.
 */
export interface PackedComparisons {
  readonly texts: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** One arm's values described; null where there is none. */
export interface PageArm {
  readonly label: string;
  readonly title: string;
  readonly n: number;
  readonly median: number | null;
  readonly lowerQuartile: number | null;
  readonly upperQuartile: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

/** One comparison as the page shows it: titles instead of ids. */
export interface PageComparison extends Judged {
  /** Anchor of its row. */
  readonly id: string;
  readonly workload: string;
  readonly kind: string;
  readonly metric: string;
  readonly metricName: string;
  /** Client, network, server and arms in full. */
  readonly condition: string;
  /** As much of the condition as tells comparisons of this run apart; may be empty. */
  readonly place: string;
  readonly primary: boolean;
  readonly pooled: boolean;
  readonly baseline: PageArm;
  readonly candidate: PageArm;
  readonly cliffsDelta: number | null;
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** Anchor of what explains the difference; null where nothing does. */
  readonly why: string | null;
  /** 0: no estimate. */
  readonly blocksNeeded: BlocksNeeded | 0;
  readonly smallestDetectable: number | null;
  readonly heterogeneity: Heterogeneity | null;
  readonly warnings: readonly string[];
  /** Whether its values come from recorded blocks, which are counted by themselves. */
  readonly recorded: boolean;
  /** `[block from 0, baseline, candidate]`, six significant digits. */
  readonly values: readonly (readonly [number, number | null, number | null])[];
  /** Whether `values` is empty only to keep the page small. */
  readonly valuesLeftOut: boolean;
}

/** A time in which a schedule changed the link, ms: whether nothing passed, and in words what it set. */
export type PageLinkBand = readonly [fromMs: number, toMs: number, isSilent: boolean, words: string];

/** One DASH session; times in ms after the player's load call. */
export interface PageSession {
  readonly arm: string;
  readonly title: string;
  readonly trialId: string;
  readonly startupDelayMs: number | null;
  /** `[requestStartMs, lastByteMs, bitrateKbps, throughputMbps]` per chunk. */
  readonly chunks: readonly (readonly [number, number, number, number])[];
  /** `[tMs, levelSeconds]`. */
  readonly buffer: readonly (readonly [number, number])[];
  readonly stalls: readonly (readonly [number, number])[];
  /** Waits of the decoder or the machine, not of the network. */
  readonly decodeStalls: readonly (readonly [number, number])[];
}

export interface PageSessionBlock {
  readonly blockIndex: number;
  /** `block 3`, or `recorded block 1`. */
  readonly block: string;
  /** Why it is shown, such as `closest to the result`. */
  readonly place: string;
  /** `[tMs, mbps]` from t on: what a trace let through, counted from the load call; empty where the rate is constant. */
  readonly linkRate: readonly (readonly [number, number])[];
  /** Likewise, of a link that follows a schedule. */
  readonly linkBands: readonly PageLinkBand[];
  readonly sessions: readonly PageSession[];
}

/** The sessions of one condition; the block that is most like the middle of all comes first. */
export interface PageSessionGroup {
  readonly title: string;
  readonly blocks: readonly PageSessionBlock[];
  /** Blocks left out to keep the page small. */
  readonly leftOut: number;
}

/** Address, start, blocked, name and connect, send and wait, receive (ms), bytes, status, protocol, priority, connection, error. */
export type PageRequest = readonly [
  address: string,
  startMs: number,
  blockedMs: number,
  connectMs: number,
  waitMs: number,
  receiveMs: number,
  bytes: number | null,
  status: number,
  protocol: string,
  priority: string,
  connection: string,
  error: string,
];

/** One load of a page from inside; times in ms after navigation start. */
export interface PageLoad {
  readonly arm: string;
  readonly title: string;
  readonly trialId: string;
  readonly loadEventMs: number | null;
  /** First contentful paint, largest contentful paint, load event; null where there was none. */
  readonly marks: Readonly<Record<'fcp' | 'lcp' | 'load', number | null>>;
  readonly requests: readonly PageRequest[];
  /** `[tMs, JPEG in Base64]`, each at the moment at which it was painted; empty where there are none or the page has no room. */
  readonly frames: readonly (readonly [number, string])[];
  /** Visual progress: `[tMs, percent]`; empty where there are no frames or the page has no room. */
  readonly progress: readonly (readonly [number, number])[];
}

/** All arms of one block of one page; of every page the block closest to the overall result comes first. */
export interface PageLoadGroup {
  readonly title: string;
  /** The page, and its place as its comparisons have it (`PageComparison`). */
  readonly workload: string;
  readonly place: string;
  readonly blockIndex: number;
  /** `block 3`, or `recorded block 1`. */
  readonly block: string;
  /** Of any arm; strips of pictures begin here. */
  readonly firstPaintMs: number;
  /** End of the common time axis. */
  readonly endMs: number;
  /** Towards the client, of a link that follows a schedule; ms after navigation start, the same for all arms of a block. */
  readonly linkBands: readonly PageLinkBand[];
  readonly loads: readonly PageLoad[];
}

/** What changed inside one page over all its blocks. */
export interface PageChangesShown extends Pick<
  PageChanges,
  'blocks' | 'matched' | 'onlyBaseline' | 'onlyCandidate' | 'requests'
> {
  /** Title of the page and its condition, as in `PageLoadGroup`. */
  readonly title: string;
  readonly candidate: string;
}

/** A frame of a flame graph with those that it called: name, ms in baseline and candidate, children. */
export type PageFlameFrame = readonly [
  name: string,
  baselineMs: number,
  candidateMs: number,
  children?: readonly PageFlameFrame[],
];

export interface PageFlameGraph {
  /** Whose samples they are, in words. */
  readonly title: string;
  /** Frames below this share of the whole were left out. */
  readonly minShare: number;
  readonly root: PageFlameFrame;
}

/** Ms after navigation start, round trip (ms), congestion window and bytes in flight (bytes), packets lost so far. */
export type PageTransportSample = readonly [
  tMs: number,
  rttMs: number | null,
  congestionWindowBytes: number | null,
  inFlightBytes: number | null,
  lostPackets: number,
];

/** How the connections of one arm went in one block. */
export interface PageTimeLine {
  readonly arm: string;
  readonly title: string;
  /** What records its transport. */
  readonly probe: string;
  readonly connections: readonly {
    readonly name: string;
    readonly samples: readonly PageTransportSample[];
  }[];
  /** Connections that carried less, left out to keep the page small. */
  readonly connectionsLeftOut: number;
  /** Of UDP sockets: ms, bytes that wait, datagrams dropped so far. */
  readonly sockets: readonly {
    readonly name: string;
    readonly samples: readonly (readonly [tMs: number, waitingBytes: number, droppedDatagrams: number])[];
  }[];
}

/** What was recorded of one explained difference besides its times. */
export interface PageDiagnosis {
  /** As in the heading of its part of the page. */
  readonly title: string;
  readonly baseline: string;
  readonly candidate: string;
  /** Both arms of one block; none where they were not recorded or the page has no room. */
  readonly timeLines: readonly PageTimeLine[];
  /** `block 3`, or `recorded block 1`. */
  readonly block: string;
  /** As in `PageLoadGroup`. */
  readonly linkBands: readonly PageLinkBand[];
  readonly flames: readonly PageFlameGraph[];
  /** What was recorded and has no room on the page. */
  readonly leftOut: readonly string[];
}

/** What the page's script reads out of the JSON in the page. */
export interface PageData {
  readonly runName: string;
  readonly baselineArm: string;
  readonly comparisons: PackedComparisons;
  readonly sessionGroups: readonly PageSessionGroup[];
  readonly pageLoads: readonly PageLoadGroup[];
  readonly pageChanges: readonly PageChangesShown[];
  /** In the order of the summary; null where nothing was recorded. */
  readonly diagnoses: readonly (PageDiagnosis | null)[];
  /** Folder of the HARs, relative to this page; null where there are none. */
  readonly harFolder: string | null;
  readonly patterns: PagePatterns;
}
