import { H2h3Error } from '../../src/core/model/errors.ts';
import { withoutSteering } from '../../src/core/model/steering-characters.ts';
import type { DoneMessage, WorkerPlace, WorkerProcess } from '../trial/worker-process.ts';
import type { TrialOrder } from '../trial/worker-protocol.ts';
import type { ClientPlace } from './client-place.ts';
import type { Answered, Asked, FarCall } from './far-protocol.ts';
import { foreignText } from './foreign-text.ts';
import { bringFiles } from './left-files.ts';

/** Starts trial workers on the other machine, which load from this one or a third. */
export const farWorkers =
  (place: Pick<ClientPlace, 'host' | 'clock'>): ((worker: WorkerPlace) => WorkerProcess) =>
  ({ prefix, ...wanted }) =>
    startFarWorker({ prefix: [...prefix], ...wanted }, place);

/** So much later than a worker's own limit its answer is there: it is ended first, and then reads what it left. */
const answerMs = 60_000;

function startFarWorker(
  wanted: Asked<'worker'>,
  { host, clock }: Pick<ClientPlace, 'host' | 'clock'>,
): WorkerProcess {
  const { session } = host;
  const isLost = (): boolean => host.session !== session || host.lost() !== undefined;
  /** @throws H2h3Error `process-failed` where the connection of then is no more */
  const ask = async <Call extends FarCall>(
    call: Call,
    asked: Asked<Call>,
    limitMs?: number,
  ): Promise<Answered<Call>> => {
    if (host.session === session) return (await host.ask(call, asked, limitMs)).answered;
    throw host.lost() ?? new H2h3Error('process-failed', `the connection to ${host.host} was another one`);
  };
  const started = ask('worker', wanted);
  const ready = started.then(async ({ worker }) => void (await ask('loaded', { worker })));
  let order: TrialOrder | undefined;
  let ordered: Promise<unknown> = started;
  for (const promise of [started, ready]) promise.catch(() => undefined); // told to whoever awaits it
  return {
    ready,
    prepare: (given) => {
      order = given;
      ordered = started.then(({ worker }) => ask('order', { worker, order: sentOrder(given) }));
      ordered.catch(() => undefined); // told by `begin`
    },
    begin: async (limitMs, { measured, ended }) => {
      const { worker } = await started;
      await ordered;
      if (order === undefined) throw new H2h3Error('internal', 'a trial without an order was begun');
      // Without that moment the path is not read when it is over.
      const unmeasured = Promise.withResolvers<never>();
      ask('untilMeasured', { worker }).then(measured, unmeasured.reject);
      // What fails in it is told by the outcome.
      ended?.then(() => ask('ended', { worker })).catch(() => undefined);
      const begun = ask('begin', { worker, limitMs }, limitMs + answerMs);
      const done = doneOf(await Promise.race([begun, unmeasured.promise]), order, host.host);
      const { files } = await ask('files', { worker });
      await bringFiles(order.trialDir, files, host.host, async (path, offsetBytes) => {
        const { base64 } = await ask('filePart', { worker, path, offsetBytes });
        return Buffer.from(base64, 'base64');
      });
      return done;
    },
    end: async () => {
      if (isLost()) return;
      try {
        await ask('release', await started);
      } catch (thrown) {
        // What is not reached any more ends by itself.
        if (!isLost()) throw thrown;
      }
    },
    isLost,
    nowEpochMs: () => clock.nowEpochMs(),
  };
}

/** What stays here: folders, processes and programs of this machine, and what opens a page. @throws H2h3Error `internal` */
export function sentOrder({ access, server, workload, ...order }: TrialOrder): Asked<'order'>['order'] {
  if (access !== undefined) throw new H2h3Error('internal', 'what opens a page goes to no other machine');
  return {
    ...order,
    trialDir: undefined,
    tempDir: undefined,
    server: server && { address: server.address, port: server.port },
    workload: { ...workload, roots: workload.roots.map(({ host }) => ({ host, directory: '' })) },
  };
}

/** What the other machine says of the trial. @throws H2h3Error `bad-input` where it is another one */
export function doneOf(
  { raw, ...done }: Answered<'begin'>,
  { trialId, instrumentation }: Pick<TrialOrder, 'trialId' | 'instrumentation'>,
  host: string,
): DoneMessage {
  if (raw.trialId !== trialId || raw.instrumentation !== instrumentation)
    throw new H2h3Error('bad-input', `${host} measured another trial than it was asked for`);
  const { browser, error, warnings } = raw;
  return {
    type: 'done',
    ...done,
    raw: {
      ...raw,
      browser: browser && { name: foreignText(browser.name), version: foreignText(browser.version) },
      warnings: warnings.map((line) => withoutSteering(line)),
      ...(error === undefined ? {} : { error: shownError(error) }),
    },
    secrets: [],
  };
}

function shownError(error: NonNullable<DoneMessage['raw']['error']>): typeof error {
  const { message, stderrTail } = error;
  return {
    ...error,
    message: withoutSteering(message),
    ...(stderrTail === undefined ? {} : { stderrTail: withoutSteering(stderrTail) }),
  };
}
