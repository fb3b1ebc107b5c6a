import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { resolveClient } from '../../../harness/clients/resolve-client.ts';
import { selectProbes } from '../../../harness/probes/selection.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import { choosePinning, pinningContext } from '../../../harness/testbed/pinning.ts';
import { openCertificateStore } from '../../../harness/tools/certificates.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { singleTrial } from '../../../harness/trial/single-trial.ts';
import { fileTypes, typeOfFile, type PageMeasure } from '../../../sites/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Har } from '../../core/model/har.ts';
import type { PreparedWorkload, Workload } from '../../core/model/workload.ts';
import { pinPrefix } from '../../core/system/processes/cpu-affinity.ts';
import { readHar } from '../../store/evidence.ts';
import { choosePort } from '../../core/system/free-port.ts';
import { openRunScope } from '../../core/system/processes/run-scope.ts';
import { prepareContextOf } from '../run/prepare-run.ts';

/** What one load of a page came to. */
export interface LoadedPage {
  readonly measured: PageMeasure;
  /** Addresses that came to nothing. */
  readonly missing: readonly string[];
  readonly prepared: PreparedWorkload;
}

/**
 * Loads a page of files once over HTTP/2 from a server on loopback, in a fresh profile, and counts what came.
 *
 * @throws H2h3Error `process-failed` when the load is not completed
 */
export async function loadPageOnce(
  workload: Workload,
  clientName: string,
  setup: SetupContext,
): Promise<LoadedPage> {
  const client = await resolveClient(clientName, setup);
  const [provider] = serverProviders(setup);
  if (!provider) throw new H2h3Error('internal', 'no server is registered');
  const port = await choosePort(undefined);
  const prepared = await workload.prepare(prepareContextOf(setup, port));
  const certificates = await openCertificateStore({ cache: setup.cache });
  const pinning = choosePinning(pinningContext(os.availableParallelism()));
  const { tempDir, environment, reaper } = await openRunScope((title) => setup.progress({ title }));
  try {
    const workDir = join(tempDir, 'server');
    await mkdir(workDir, { recursive: true });
    const server = await provider.start({
      roots: prepared.roots,
      address: '127.0.0.1',
      port,
      certificates,
      workDir,
      environment,
      launchPrefix: pinPrefix(pinning.serverCpus),
    });
    let har: Har | null = null;
    setup.progress({ title: `Loading ${workload.title} once`, detail: client.name });
    try {
      const { spkiHash } = certificates;
      const { signal } = setup;
      await singleTrial(
        { server, spkiHash, pinning, tempDir, environment, signal },
        {
          client,
          workload: prepared,
          protocol: 'h2',
          probes: selectProbes('page', [], 'instrumented').map(({ id }) => id),
          instrumentation: 'instrumented',
          postProcess: (_, trialDir) => Promise.resolve((har = readHar(trialDir))),
        },
      );
    } finally {
      await server.stop();
    }
    return { ...countObjects(har), prepared };
  } finally {
    await reaper.finish();
  }
}

function countObjects(har: Har | null): Pick<LoadedPage, 'measured' | 'missing'> {
  const entries = (har?.log.entries ?? []).filter(({ request }) => request.url.startsWith('https:'));
  if (entries.length === 0) throw new H2h3Error('process-failed', 'the load left no list of requests');
  const found = entries.map(({ request }) => typeOfFile(new URL(request.url).pathname));
  const counts = fileTypes.map((type) => [type, found.filter((other) => other === type).length] as const);
  const failed = entries.filter(({ response }) => response._error || response.status >= 400);
  return {
    measured: {
      objects: entries.length,
      hosts: new Set(entries.map(({ request }) => new URL(request.url).hostname)).size,
      wireBytes: entries.reduce((sum, { response }) => sum + Math.max(0, response.bodySize), 0),
      types: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    },
    missing: failed.map(({ request }) => request.url),
  };
}
