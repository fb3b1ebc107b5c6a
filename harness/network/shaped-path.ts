import type { NetworkDescription } from '../../src/core/model/environment.ts';
import type { ConnectionStart } from '../../src/core/model/connection-start.ts';
import type { LinkFlow } from '../../src/core/model/raw-trial.ts';
import type { LinkCourse, LinkFigures } from '../../src/core/model/schedule.ts';
import type { LinkQueue } from '../../src/core/model/link-queue.ts';
import type { HostFacts, LinkPlace } from './host-setup.ts';
import type { Namespace } from './namespace.ts';
import type { RunningCrossTraffic } from './network.ts';
import type { PathCourses } from './path-schedules.ts';
import type { PathTraces } from './path-traces.ts';

/** A path between two namespaces that is up, whichever backend made it. */
export interface ShapedPath {
  readonly backend: Exclude<NetworkDescription['backend'], 'none'>;
  readonly client: Namespace;
  readonly server: Namespace;
  readonly place: LinkPlace;
  readonly traces: PathTraces;
  /** What it does at times that are known beforehand; absent where nothing is scheduled. */
  readonly courses?: PathCourses;
  readonly clientFacts: HostFacts;
  readonly serverFacts: HostFacts;
  readonly offloads: Readonly<Record<string, boolean>>;
  readonly notes: readonly string[];
  /** Whether idle CPUs of the machine may wake late, and packets with them; absent: it is not known yet. */
  readonly cpusWakeLate?: boolean;
  /** Takes the line that begins the traces; null where nothing varies with time. */
  readonly controlSocket: string | null;
  readonly begin: (line: string) => Promise<void>;
  readonly counters: () => Promise<Record<string, number>>;
  /** Absent where the backend does not count flows. */
  readonly flows?: () => Promise<readonly LinkFlow[] | null>;
  /** How the server began on each of the first connections since the traces began; absent where the backend does not see it. */
  readonly connectionStarts?: () => Promise<readonly ConnectionStart[]>;
  /** What its queues did since the traces began; absent where the backend does not count it. */
  readonly queue?: () => Promise<LinkQueue>;
  /** What it did, time after time, since they began; absent where the backend does not write it down. */
  readonly course?: () => Promise<LinkCourse>;
  /** Sets figures from now on; absent where the path cannot be changed while it is up. */
  readonly change?: (figures: LinkFigures) => Promise<void>;
  /** Another client of the path, which loads when it is told to; absent where there is none. */
  readonly crossTraffic?: { readonly client: Namespace; readonly start: () => Promise<RunningCrossTraffic> };
  /** Why nothing beyond this machine is reached; absent: it is, or nobody asked for it. */
  readonly isolationReason?: string;
  /** @throws H2h3Error `process-failed` where a process that it needs has ended */
  readonly requireAlive: () => void;
  readonly stop: () => Promise<void>;
}
