import type { Runner } from '../../../harness/trial/runner.ts';
import type { Har, HarEntry } from '../../core/model/har.ts';
import { hostWithPort } from '../../core/model/live-address.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { protocolOf } from '../../core/model/protocol.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
import { readHar } from '../../store/evidence.ts';
import type { AppContext } from '../app-context.ts';
import { judgePlan, throwRefusals, type Judged } from '../preflight/preflight.ts';
import { isInstrumented } from '../plan/instrumented-blocks.ts';
import { contentOf } from '../plan/arm-addresses.ts';
import type { OpenedRun } from './open-run.ts';
import { spokenProtocols } from './spoken-protocols.ts';

interface ScoutResources {
  readonly runner: Pick<Runner, 'run'>;
  readonly prepared: Map<string, PreparedWorkload>;
  /** Filled with what each page loaded, by content. */
  readonly scouted: Map<string, Har>;
  /** Folder in which a discarded trial leaves its files. */
  readonly trialDirOf: (trialId: string) => string;
}

/** Live addresses are asked what they speak, and loaded once as a browser does by itself. @throws H2h3Error where nothing can be compared there */
export async function checkLivePages(
  resources: ScoutResources,
  { directory: { plan }, blockers }: Pick<OpenedRun, 'directory' | 'blockers'>,
  context: AppContext,
): Promise<Judged> {
  const spoken = await spokenProtocols(plan, resources.prepared);
  const judged = await judgePlan(plan, { spoken }, { fresh: ['spoken'], before: blockers });
  throwRefusals(judged);
  await scoutLivePages(resources, plan, context);
  return judged;
}

/**
 * Loads every live page once, as the browser does by itself, and notes which of its hosts answer over HTTP/3: on those it
 * is forced, and others may answer over TCP. Only arms that force HTTP/3 need it.
 */
export async function scoutLivePages(
  resources: ScoutResources,
  plan: Plan,
  context: AppContext,
): Promise<void> {
  if (!plan.arms.some(({ factors }) => factors.protocol === 'h3')) return;
  for (const [id, workload] of resources.prepared) {
    const trial = plan.trials.find((trial) => contentOf(trial) === id);
    if (workload.live === undefined || trial === undefined) continue;
    context.progress.reporter({ title: `Looking at ${workload.title}` });
    const scout: PlannedTrial = {
      ...trial,
      trialId: `warmup-scout-${trial.trialId}`,
      // Recorded, if it can be: what fails on the page is known from this load where no block is recorded.
      instrumentation: isInstrumented(trial.client, plan.probes) ? 'instrumented' : trial.instrumentation,
      // What the browser does by itself.
      factors: { ...trial.factors, protocol: 'auto' },
    };
    const outcome = await resources.runner.run({ trial: scout });
    const har = outcome.kind === 'measured' ? readHar(resources.trialDirOf(scout.trialId)) : null;
    if (har !== null) resources.scouted.set(id, har);
    const h3Hosts = [...new Set([...workload.live.h3Hosts, ...hostsWithH3(har)])];
    resources.prepared.set(id, { ...workload, live: { ...workload.live, h3Hosts } });
  }
}

/** Hosts, with ports, that answered over HTTP/3 or announced it for their own address. */
export function hostsWithH3(har: Har | null): readonly string[] {
  const entries = (har?.log.entries ?? []).filter(({ request }) => request.url.startsWith('https://'));
  return [
    ...new Set(entries.filter(speaksH3).map(({ request }) => hostWithPort(new URL(request.url)))),
  ].toSorted();
}

function speaksH3({ request, response }: HarEntry): boolean {
  if (protocolOf(response.httpVersion) === 'h3') return true;
  const { hostname, port } = new URL(request.url);
  const announced = response.headers
    .filter(({ name }) => name.toLowerCase() === 'alt-svc')
    .flatMap(({ value }) => [...value.matchAll(/\bh3="([^"]*):(\d+)"/g)]);
  return announced.some(
    ([, host, to]) => ['', hostname].includes(host ?? '') && to === (port === '' ? '443' : port),
  );
}

/** What a reader must know of live addresses whose certificates were not checked. */
export function insecureWarnings({ live }: Plan): string[] {
  if (live?.insecure !== true) return [];
  return ['untrusted certificates were accepted (--insecure): the server’s identity is not proven'];
}
