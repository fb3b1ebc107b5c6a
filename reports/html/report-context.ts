import type { Comparison, Summary } from '../../src/model/summary.ts';
import { armTitle, labelsOf } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { anchorsOf } from './anchors.ts';

/** What every section of the page is made from. */
export interface ReportContext {
  readonly summary: Summary;
  readonly labels: Labels;
  /** Ids of clients, networks and servers in the order of their first comparison. */
  readonly clients: readonly string[];
  readonly networks: readonly string[];
  readonly servers: readonly string[];
  readonly anchorOf: (comparison: Comparison) => string;
  /** Whether the page shows page loads from inside. */
  readonly hasInside: boolean;
  /** Folder of the unpacked HARs as the page's links name it (`har/`); null where there are none. */
  readonly harFolder: string | null;
  /** The client, network, server and arms of a comparison as far as the run has several; may be empty. */
  readonly placeOf: (comparison: Comparison) => string;
}

function distinct(items: readonly string[]): string[] {
  return [...new Set(items)];
}

function pairTitle({ baseline, candidate }: Comparison): string {
  return `${armTitle(candidate.arm)} against ${armTitle(baseline.arm)}`;
}

export function reportContext(
  summary: Summary,
  harFolder: string | null = null,
  hasInside = false,
): ReportContext {
  const { comparisons } = summary;
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
    anchorOf: (comparison) => anchorByComparison.get(comparison) ?? '',
    placeOf: (comparison) =>
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
