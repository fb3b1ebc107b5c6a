import { connect, type ClientHttp2Session } from 'node:http2';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import { benchRow, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';

/** The same small objects twice: as files of the server, and out of an archive behind it. */
export interface ReplaySite {
  readonly roots: readonly SiteRoot[];
  readonly fileHost: string;
  readonly archiveHost: string;
  /** Paths of the objects, the same on both hosts. */
  readonly paths: readonly string[];
}

const requestCount = 3000;
const parallel = 50;
/** At 3000 small objects a second an origin is no bottleneck of any page. */
const maxMs = 1000;

type ReplayContext = Pick<BenchTrialContext, 'server' | 'repetitions' | 'progress'>;

/** Whether the origin of recorded sites could hold a page up: what small objects take from it, besides plain files. */
export async function replaySpeed(context: ReplayContext, site: ReplaySite): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [subject, host, atMost] of [
    ['files', site.fileHost, undefined],
    ['recorded site', site.archiveHost, maxMs],
  ] as const) {
    const valuesMs: number[] = [];
    for (let round = 0; round < context.repetitions; round++) {
      context.progress(`replay, ${subject}, ${round + 1} of ${context.repetitions}`);
      valuesMs.push(await askAll(context, host, site.paths));
    }
    rows.push(
      benchRow({
        group: 'replay',
        subject,
        quantity: `${requestCount} small objects over h2`,
        unit: 'ms',
        values: valuesMs,
        ...(atMost === undefined ? {} : { atMost }),
      }),
    );
  }
  return rows;
}

async function askAll({ server }: ReplayContext, host: string, paths: readonly string[]): Promise<number> {
  // The certificate is the project's own, made for this machine only.
  const session = connect(`https://${server.address}:${server.port}`, {
    servername: host,
    rejectUnauthorized: false,
  });
  // Every request under way listens for its end.
  session.setMaxListeners(2 * parallel);
  try {
    const authority = `${host}:${server.port}`;
    let asked = 0;
    const startMs = performance.now();
    const askOn = async (): Promise<void> => {
      while (asked < requestCount) await ask(session, authority, paths[asked++ % paths.length] ?? '/');
    };
    await Promise.all(Array.from({ length: parallel }, askOn));
    return performance.now() - startMs;
  } finally {
    session.destroy();
  }
}

function ask(session: ClientHttp2Session, authority: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    session.once('error', reject);
    const stream = session.request({ ':authority': authority, ':path': path });
    stream.on('response', ({ ':status': status }) => {
      if (status !== 200)
        reject(new H2h3Error('process-failed', `the server answers ${path} of ${authority} with ${status}`));
    });
    stream.on('error', reject);
    stream.on('end', () => {
      session.off('error', reject);
      resolve();
    });
    stream.resume();
  });
}
