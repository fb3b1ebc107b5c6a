import { resolveClient } from '../../../harness/clients/resolve-client.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { gateOutcomeSchema } from '../../core/model/gate.ts';
import { acceptBaseline, currentBaseline, type Baseline } from '../../store/baselines.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { factorOfName } from '../gate/gate-subject.ts';
import { readHistoryRun } from '../history/import-run.ts';
import { browserOf, exactClient } from '../plan/exact-client.ts';

export { readBaselines as baselines, type Baseline } from '../../store/baselines.ts';

export interface AcceptOptions {
  /** A client, server or player of one version, such as `chromium@153.0.0` or `nginx@1.26.3`, to accept by decision; or else `run`. */
  readonly client?: string | undefined;
  /** A run whose candidate is accepted; it must be whole and have passed its gate. */
  readonly run?: string | undefined;
  /** Default: the browser. */
  readonly name?: string | undefined;
  /** Why. */
  readonly note?: string | undefined;
  /** Folder of the runs. Default: `results`. */
  readonly resultsDir?: string | undefined;
}

/**
 * Accepts a version of a browser, server or player as the baseline that nights are compared with.
 *
 * @throws H2h3Error `usage` or `bad-input` for what cannot be one
 */
export async function acceptVersion(options: AcceptOptions, context: AppContext): Promise<Baseline> {
  const { client, run, resultsDir = 'results' } = options;
  if ((client === undefined) === (run === undefined))
    throw new H2h3Error('usage', 'name a client, or a run with --run', {
      next: 'See `npx h2h3 baseline --help`.',
    });
  const named = run === undefined ? (client ?? '') : candidateOf(run);
  const setup = await setupContextOf(context);
  const exact = await exactClient(named, true, setup);
  if (exact === 'best')
    throw new H2h3Error('usage', `${named} is not one version`, {
      next: 'Name it as in `npx h2h3 browsers list`.',
    });
  const { version, build } = await foundOf(exact, setup);
  const baseline: Baseline = {
    name: options.name ?? browserOf(exact),
    client: exact,
    version,
    build,
    acceptedAt: new Date().toISOString(),
    run: run ?? null,
    note: options.note ?? '',
  };
  acceptBaseline(resultsDir, baseline);
  return baseline;
}

/** What is found under an exact name: of a server its program, of a player its script, else the client. */
async function foundOf(exact: string, setup: SetupContext): Promise<Pick<Baseline, 'version' | 'build'>> {
  const factor = factorOfName(exact);
  if (factor === 'player') return { version: exact.slice(exact.indexOf('@') + 1), build: factor };
  const server = factor === 'server' ? serverNamed(exact) : undefined;
  return server === undefined
    ? resolveClient(exact, setup)
    : { version: (await server.ensure(setup)).version, build: 'server' };
}

/** The baseline in force of that name. @throws H2h3Error `bad-input` when none was accepted */
export function baselineInForce(name: string, resultsDir: string): Baseline {
  const found = currentBaseline(resultsDir, name);
  if (found !== null) return found;
  throw new H2h3Error('bad-input', `no baseline of ${name} was accepted`, {
    next: `npx h2h3 baseline accept ${name}@VERSION`,
  });
}

/** The candidate of a run, if the run was whole and the gate found nothing worse. @throws H2h3Error `bad-input` */
function candidateOf(path: string): string {
  const { state, reason, gateOutcome } = readHistoryRun(path);
  const refuse = (why: string): never => {
    throw new H2h3Error('bad-input', `${path} cannot make a baseline: ${why}`, {
      next: 'Name the client itself to accept it by decision: npx h2h3 baseline accept CLIENT.',
    });
  };
  if (state !== 'complete') refuse(`the run is ${state} (${reason})`);
  if (gateOutcome === null) refuse('it was not judged (npx h2h3 gate DIR)');
  if (gateOutcome !== gateOutcomeSchema.enum.passed) refuse(`its gate says ${gateOutcome}`);
  const { arms } = openRunDirectory(path).plan;
  return (
    arms.at(-1)?.factors.client ??
    arms.at(-1)?.factors.server ??
    arms.at(-1)?.factors.player ??
    refuse('its arms name no browsers, no servers and no players')
  );
}
