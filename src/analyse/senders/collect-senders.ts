import type { Environment } from '../../core/model/environment.ts';
import type { CourseSeries } from '../../core/model/link-courses.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Sender, Senders } from '../../core/model/senders.ts';
import { machineWords } from '../between-runs/environment-facts.ts';
import { fingerprint } from './fingerprint.ts';
import { senderFindings, sendersHeadline } from './sender-findings.ts';
import { senderProperties } from './properties.ts';
import { disturbanceOf, disturbances, senderPath } from './sender-path.ts';
import { trafficOf } from './sender-traffic.ts';

/** What one run of senders recorded. */
export interface SenderTrials {
  readonly records: readonly TrialRecord[];
  /** Null: the run never began to measure. */
  readonly environment: Environment | null;
}

const protocols = ['h2', 'h3'] as const;

/** Fingerprints of servers over both protocols, from the runs that measured them. @param nameOf what a server is called */
export function collectSenders(
  servers: readonly string[],
  runs: readonly SenderTrials[],
  nameOf: (server: string) => string = (server) => server,
): Senders {
  const records = runs.flatMap((run) => run.records);
  const environments = runs.flatMap(({ environment }) => environment ?? []);
  const [first] = environments;
  const { rateMbps, roundTripMs, queueBytes } = senderPath;
  const senders = servers.flatMap((server) =>
    protocols.map((protocol) => ({
      ...senderOf(server, protocol, records, environments),
      server: nameOf(server),
    })),
  );
  const traffic = trafficOf(servers, records);
  return {
    schemaVersion: 1,
    measuredAt: first?.startedAt ?? records[0]?.startedAt ?? '',
    h2h3: first?.h2h3 ?? { version: '', gitRevision: null },
    machine: first === undefined ? '' : machineWords(first),
    headline: sendersHeadline(senders),
    findings: senderFindings(senders),
    ...(traffic === undefined ? {} : { traffic }),
    path: `${rateMbps} Mbit/s, ${roundTripMs} ms round trip, a queue of ${queueBytes / 1000} kB`,
    client: [...new Set(first?.clients.map(({ name, version }) => `${name} ${version}`))].join(', '),
    repeats: new Set(records.map(({ blockIndex }) => blockIndex)).size,
    properties: senderProperties
      .filter(({ id }) =>
        senders.some(({ properties }) => properties.some(({ property }) => property === id)),
      )
      .map(({ id, title, unit, meaning, source, readIn }) => ({
        id,
        title,
        unit,
        meaning,
        source,
        readIn: [...readIn],
      })),
    senders,
  };
}

function senderOf(
  server: string,
  protocol: Sender['protocol'],
  records: readonly TrialRecord[],
  environments: readonly Environment[],
): Sender {
  const trialsOver = (wanted: Sender['protocol']): TrialRecord[] =>
    records.filter(({ factors }) => factors.server === server && factors.protocol === wanted);
  const own = trialsOver(protocol);
  const described = environments.flatMap(({ servers }) => servers).find(({ id }) => id === server);
  return {
    server,
    protocol,
    version: described === undefined ? null : `${described.name} ${described.version}`,
    congestionControl:
      described === undefined
        ? null
        : protocol === 'h3'
          ? described.quicCongestionControl
          : described.tcpCongestionControl,
    properties: fingerprint(protocol, own, trialsOver('h2')),
    courses: disturbances.flatMap((disturbance) => {
      const course = middleCourse(own.filter((trial) => disturbanceOf(trial) === disturbance));
      return course === undefined ? [] : [{ ...course, disturbance }];
    }),
  };
}

/** Of the valid trial that took neither longest nor shortest. */
function middleCourse(trials: readonly TrialRecord[]): CourseSeries | undefined {
  const valid = trials
    .filter(({ status, metrics }) => status === 'ok' && metrics.linkCourse !== undefined)
    .toSorted((a, b) => a.durationMs - b.durationMs);
  return valid[Math.floor(valid.length / 2)]?.metrics.linkCourse;
}
