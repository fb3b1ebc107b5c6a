import { serverSoftware } from '../../../harness/servers/registry.ts';
import { requireClientName, resolveClient } from '../../../harness/clients/resolve-client.ts';
import { parseProgramName, productOf } from '../../../harness/tools/versions/program-name.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Factors } from '../../model/factor.ts';
import { armText } from '../../factors/arm-text.ts';
import { oneLineProgress } from '../preflight/one-line-progress.ts';
import type { ArmInput } from '../../plan/arms.ts';
import { protocol as protocolFactor } from '../../factors/protocol.ts';

/** The factor of which a gate compares two values. */
export type GateFactor = 'client' | 'server';

/** What a name in `--baseline` or `--candidate` is the name of: a server's, with a version or without, else a client's. */
export function factorOfName(name: string): GateFactor {
  return !/[/\\]/.test(name) && serverSoftware.some(({ id }) => id === productOf(name)) ? 'server' : 'client';
}

/** What a gate compares: two clients, or two servers that one client loads from. */
export interface GateSubjects {
  readonly factor: GateFactor;
  readonly names: readonly [string, string];
  readonly warnings: readonly string[];
}

export interface GateNames {
  readonly baseline: string;
  readonly candidate: string;
  /** Compare even what differs more than releases do. */
  readonly force: boolean;
}

interface Named {
  readonly name: string;
  /** What must be alike in both. */
  readonly kind: string;
}

async function clientOf(client: string, setup: SetupContext): Promise<Named> {
  const { id, family, build } = await resolveClient(client, setup);
  return { name: client === 'best' ? id : client, kind: `${family} (${build})` };
}

/** Both are fetched at once where they are missing, with one line of progress. */
function clientsOf(names: readonly string[], setup: SetupContext): Promise<Named[]> {
  const beside = oneLineProgress(setup.progress);
  return Promise.all(names.map((name) => beside((progress) => clientOf(name, { ...setup, progress }))));
}

/** The form alone: what is missing is fetched before the trials, as for every run. */
function serverOf(name: string): Named {
  parseProgramName(name);
  return { name, kind: `server ${productOf(name)}` };
}

/**
 * What baseline and candidate are two of; nothing is looked for or fetched.
 *
 * @throws H2h3Error `usage` when they are not of one kind, also for a client's name that is none
 */
export async function factorOfGate(
  { baseline, candidate }: Pick<GateNames, 'baseline' | 'candidate'>,
  setup: SetupContext,
): Promise<GateFactor> {
  const factor = factorOfName(baseline);
  if (factor !== factorOfName(candidate))
    throw new H2h3Error(
      'usage',
      `a gate compares two browsers or two servers, not ${baseline} and ${candidate}`,
      {
        next: 'Name two versions of one, such as nginx@1.26 and nginx@1.30.',
      },
    );
  if (factor === 'client') for (const client of [baseline, candidate]) await requireClientName(client, setup);
  return factor;
}

/**
 * Both as they are here, `best` under its own name.
 *
 * @throws H2h3Error when one cannot be had, `usage` when they are not of one kind: builds differ more than releases do
 */
export async function findSubjects(
  { baseline, candidate, force }: GateNames,
  setup: SetupContext,
): Promise<GateSubjects> {
  const factor = await factorOfGate({ baseline, candidate }, setup);
  const names = [baseline, candidate];
  const both = factor === 'server' ? names.map(serverOf) : await clientsOf(names, setup);
  const [first, second] = both;
  if (first === undefined || second === undefined) throw new H2h3Error('internal', 'a gate needs two names');
  const found = [first.name, second.name] as const;
  if (first.kind === second.kind) return { factor, names: found, warnings: [] };
  const difference = `the baseline ${first.name} is ${first.kind}, the candidate ${second.name} is ${second.kind}`;
  if (force)
    return { factor, names: found, warnings: [`${difference}: builds differ more than releases do`] };
  throw new H2h3Error(
    'usage',
    `${difference}; builds differ more than releases do, so a gate would judge the build`,
    {
      next: 'Compare releases of one build (`npx h2h3 browsers list` and `npx h2h3 servers list` name them), or say --force.',
    },
  );
}

/**
 * The arms of a gate: both over each protocol. The candidate that is its own baseline says so in its label.
 *
 * @throws H2h3Error `usage` for a protocol that is none
 */
export function gateArms({ factor, names }: GateSubjects, protocols: readonly string[]): ArmInput[] {
  const [baseline, candidate] = names;
  return names.flatMap((name, place) =>
    protocols.map((word) => {
      const protocol = protocolFactor.form.read(word);
      if (protocol === undefined)
        throw new H2h3Error('usage', `"${word}" is no protocol`, {
          context: { expected: 'h1, h2, h3', got: word },
        });
      const factors: Factors = { protocol, [factor]: name };
      const text = armText(factors);
      return place === 1 && baseline === candidate ? { ...factors, label: `${text}#candidate` } : text;
    }),
  );
}
