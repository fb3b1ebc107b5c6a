import type { Diagnosis } from '../../src/core/model/diagnosis.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { armTitle, labelsOf } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { anchorsOf, diagnosisAnchorsOf } from './anchors.ts';

/** What every section of the page is made from. */
export interface ReportContext {
  readonly summary: Summary;
  readonly labels: Labels;
  /** Ids of clients, networks and servers in the order of their first comparison. */
  readonly clients: readonly string[];
  readonly networks: readonly string[];
  readonly servers: readonly string[];
  readonly anchorOf: (comparison: Comparison) => string;
  /** Anchors of the summary's explained differences, in their order. */
  readonly diagnosisAnchors: readonly string[];
  /** The anchor of the diagnosis of the condition and the arms of a comparison; null where there is none. */
  readonly explanationAnchorOf: (comparison: Comparison) => string | null;
  /** Whether the page shows page loads from inside. */
  readonly hasInside: boolean;
  /** Folder of the unpacked HARs as the page's links name it (`har/`); null where there are none. */
  readonly harFolder: string | null;
  /** The client, network, server and arms of a comparison as far as the run has several; may be empty. */
  readonly conditionWords: (comparison: Placed) => string;
}

/** What a comparison is of, as far as a reader needs it to tell rows apart. */
export type Placed = Pick<Comparison, 'client' | 'network' | 'server'> &
  Readonly<Record<'baseline' | 'candidate', { readonly arm: string }>>;

function distinct(items: readonly string[]): string[] {
  return [...new Set(items)];
}

function pairTitle({ baseline, candidate }: Pick<Placed, 'baseline' | 'candidate'>): string {
  return `${armTitle(candidate.arm)} against ${armTitle(baseline.arm)}`;
}

/** Whether a difference was explained in the condition and for the arms of a comparison; older explanations name not all of these. */
function explains(
  { workload, client, network, server, baselineArm, candidateArm }: Diagnosis,
  comparison: Comparison,
): boolean {
  const told = (name: string | undefined, own: string): boolean => name === undefined || name === own;
  return (
    workload === comparison.workload &&
    told(client, comparison.client) &&
    told(network, comparison.network) &&
    told(server, comparison.server) &&
    told(baselineArm, comparison.baseline.arm) &&
    told(candidateArm, comparison.candidate.arm)
  );
}

export function reportContext(
  summary: Summary,
  harFolder: string | null = null,
  hasInside = false,
): ReportContext {
  const { comparisons, diagnosis = [] } = summary;
  const diagnosisAnchors = diagnosisAnchorsOf(diagnosis);
  const anchors = anchorsOf(comparisons);
  const anchorByComparison = new Map(
    comparisons.map((comparison, index) => [comparison, anchors[index] ?? '']),
  );
  const labels = labelsOf(summary);
  const clients = distinct(comparisons.map(({ client }) => client));
  const networks = distinct(comparisons.map(({ network }) => network));
  const servers = distinct(comparisons.map(({ server }) => server));
  const pairs = distinct(comparisons.map(pairTitle));
  return {
    summary,
    labels,
    clients,
    networks,
    servers,
    hasInside,
    harFolder,
    diagnosisAnchors,
    anchorOf: (comparison) => anchorByComparison.get(comparison) ?? '',
    explanationAnchorOf: (comparison) =>
      diagnosisAnchors[diagnosis.findIndex((entry) => explains(entry, comparison))] ?? null,
    conditionWords: (comparison) =>
      [
        clients.length > 1 ? labels.client(comparison.client) : '',
        networks.length > 1 ? labels.network(comparison.network) : '',
        servers.length > 1 ? labels.server(comparison.server) : '',
        pairs.length > 1 ? pairTitle(comparison) : '',
      ]
        .filter(Boolean)
        .join(', '),
  };
}
