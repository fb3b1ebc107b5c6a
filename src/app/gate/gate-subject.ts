import { serverSoftware } from '../../../harness/servers/registry.ts';
import { requireClientName } from '../../../harness/clients/resolve-client.ts';
import { versionedProgram } from '../../../harness/tools/versions/catalogue.ts';
import { parseProgramName, productOf } from '../../../harness/tools/versions/program-name.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import {
  appOptionsSchema,
  buildNames,
  type AppOptions,
  type BuildName,
} from '../../core/model/app-under-test.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Factors } from '../../core/model/factor.ts';
import { armText } from '../../core/factors/arm-text.ts';
import { factorsSetIn } from '../../core/factors/registry.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { MachineFacts } from '../preflight/machine-facts.ts';
import { parseArms, type ArmInput } from '../../plan/arms.ts';
import { protocol as protocolFactor } from '../../core/factors/participants.ts';

/** The factor of which a gate compares two values. */
export type GateFactor = 'client' | 'server' | 'player' | 'app';

/** Two builds of an app by the command lines that start them; an address says where one listens that takes no port. */
export interface GateCommands {
  readonly baselineCommand?: string | undefined;
  readonly candidateCommand?: string | undefined;
}

/** What a gate compares as the user says it. */
export interface GateRequest extends GateCommands {
  readonly baseline?: string | undefined;
  readonly candidate?: string | undefined;
}

/** What a name in `--baseline` or `--candidate` is the name of: a server's or player's, with a version or without, else a client's. */
export function factorOfName(name: string): GateFactor {
  if (/[/\\]/.test(name)) return 'client';
  const product = productOf(name);
  if (serverSoftware.some(({ id }) => id === product)) return 'server';
  return versionedProgram(product)?.kind === 'player' ? 'player' : 'client';
}

/** The same of what a user asks for. @throws H2h3Error `usage` where nothing is named */
export function factorOfRequest(request: GateRequest): GateFactor {
  return buildsOf(request) === undefined ? factorOfName(namesOf(request).baseline) : 'app';
}

/** What a gate loads where nothing else is asked for: players are judged by the videos that they play. */
export function presetOfGate(factor: GateFactor, usual: 'gate' | 'nightly'): string {
  if (factor === 'player') return 'gate-players';
  // A night's files and videos are none of an app.
  return factor === 'app' ? 'gate' : usual;
}

/** How long browsers wait by their own timers: what nothing but a gate or a night asks for by name. */
const timersPreset = 'gate-timers';

/** Whether a preset is there for gates alone. */
export const isGatePreset = (source: string | undefined): boolean =>
  source === presetOfGate('client', 'gate') ||
  source === presetOfGate('player', 'gate') ||
  source === timersPreset;

/** What a gate compares: two clients, or two servers, players or builds of an app that one client loads from or plays with. */
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

/** The clients of this machine that a gate may name. */
export type FoundClients = Pick<MachineFacts, 'clients' | 'best'>;

interface Named {
  readonly name: string;
  /** What must be alike in both. */
  readonly kind: string;
}

/** @throws H2h3Error where it cannot be had */
function clientOf(name: string, { clients, best }: FoundClients): Named {
  const found = clients.get(name === 'best' ? (best ?? name) : name);
  if (found === undefined) throw new H2h3Error('internal', `${name} was not looked for`);
  if (found instanceof H2h3Error) throw found;
  return { name: name === 'best' ? found.id : name, kind: `${found.family} (${found.build})` };
}

/** The form alone: what is missing is fetched before the trials, as for every run. */
function programOf(name: string, factor: GateFactor): Named {
  parseProgramName(name);
  return { name, kind: `${factor} ${productOf(name)}` };
}

/**
 * The builds that the command lines start; undefined where there are none.
 *
 * @throws H2h3Error `usage` for one without the other, and for a name that is no address of a build
 */
export function buildsOf(request: GateRequest): AppOptions['builds'] {
  const { baselineCommand, candidateCommand } = request;
  if (baselineCommand === undefined && candidateCommand === undefined) return undefined;
  if (baselineCommand === undefined || candidateCommand === undefined)
    throw new H2h3Error(
      'usage',
      'two builds of an app are compared by two command lines, --baseline-command and --candidate-command',
      { next: 'Name both. An app that runs already is measured by itself: npx h2h3 run --app http://….' },
    );
  const built = (name: BuildName, command: string): unknown => ({
    command,
    ...(request[name] === undefined ? {} : { origin: request[name] }),
  });
  const parsed = appOptionsSchema.shape.builds.unwrap().safeParse({
    baseline: built('baseline', baselineCommand),
    candidate: built('candidate', candidateCommand),
  });
  if (parsed.success) return parsed.data;
  const said = parsed.error.issues.map(
    ({ path: [name, field], message }) =>
      `--${String(name)}${field === 'command' ? '-command' : ''}: ${message}`,
  );
  throw new H2h3Error('usage', said.join('; '), {
    next: 'With commands, --baseline and --candidate say where builds listen, such as http://localhost:3000. --page names pages.',
  });
}

/** The names of a gate that compares no builds. @throws H2h3Error `usage` without both */
export function namesOf({ baseline, candidate }: GateRequest): Pick<GateNames, 'baseline' | 'candidate'> {
  if (baseline !== undefined && candidate !== undefined) return { baseline, candidate };
  throw new H2h3Error('usage', 'a gate wants a run directory, or --baseline and --candidate', {
    next: 'Try `npx h2h3 gate results/latest` or see `npx h2h3 gate --help`.',
  });
}

/** The names of the two builds, where there are builds. */
export const buildSubjects: GateSubjects = { factor: 'app', names: buildNames, warnings: [] };

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
      `a gate compares two browsers, two servers or two players, not ${baseline} and ${candidate}`,
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
export function findSubjects(
  { baseline, candidate, force }: GateNames,
  factor: GateFactor,
  found: FoundClients,
): GateSubjects {
  const names = [baseline, candidate];
  const both = names.map((name) => (factor === 'client' ? clientOf(name, found) : programOf(name, factor)));
  const [first, second] = both;
  if (first === undefined || second === undefined) throw new H2h3Error('internal', 'a gate needs two names');
  const own = [first.name, second.name] as const;
  if (first.kind === second.kind) return { factor, names: own, warnings: [] };
  const difference = `the baseline ${first.name} is ${first.kind}, the candidate ${second.name} is ${second.kind}`;
  if (force) return { factor, names: own, warnings: [`${difference}: builds differ more than releases do`] };
  throw new H2h3Error(
    'usage',
    `${difference}; builds differ more than releases do, so a gate would judge the build`,
    {
      next: 'Compare releases of one build (`npx h2h3 browsers list` and `npx h2h3 servers list` name them), or say --force.',
    },
  );
}

/** @throws H2h3Error `usage` for a protocol that is none */
function protocolIn(word: string): ArmProtocol {
  const protocol = protocolFactor.form.read(word);
  if (protocol !== undefined) return protocol;
  throw new H2h3Error('usage', `"${word}" is no protocol`, {
    context: { expected: 'h1, h2, h3', got: word },
  });
}

/** What the arms of a plan set besides what the gate compares, each once and in their order; undefined where it is their protocol alone. */
function settingsOf(planned: readonly ArmInput[], compared: GateFactor): Factors[] | undefined {
  const settings = parseArms(planned).map(({ factors }): Factors => ({ ...factors, [compared]: undefined }));
  const isPlain = settings.every((factors) => factorsSetIn(factors).every(({ id }) => id === 'protocol'));
  return isPlain ? undefined : [...new Map(settings.map((factors) => [armText(factors), factors])).values()];
}

/**
 * The arms of a gate, the baseline's first: both over each protocol, with all that the plan's arms of that protocol set. The
 * candidate that is its own baseline says so in its label.
 *
 * @param planned arms of the preset or plan file; by default such as set nothing but a protocol
 * @throws H2h3Error `usage` for a protocol that is none, or that no arm of the plan has
 */
export function gateArms(
  { factor, names }: GateSubjects,
  protocols: readonly string[],
  planned: readonly ArmInput[] = [],
): ArmInput[] {
  const [baseline, candidate] = names;
  const wanted = protocols.map(protocolIn);
  const own = settingsOf(planned, factor);
  const sides =
    own?.filter(({ protocol }) => wanted.some((word) => word === protocol)) ??
    wanted.map((protocol): Factors => ({ protocol }));
  if (sides.length === 0)
    throw new H2h3Error('usage', `no arm of the plan is over ${wanted.join(' or ')}`, {
      next: `Its arms are ${(own ?? []).map(armText).join(', ')}: name their protocols by --protocols.`,
    });
  return names.flatMap((name, place) =>
    sides.map((side) => {
      const factors: Factors = { ...side, [factor]: name };
      const text = armText(factors);
      return place === 1 && baseline === candidate ? { ...factors, label: `${text}#candidate` } : text;
    }),
  );
}

/** Protocols of two versions that are compared with each other, too. */
const crossedArms = 4;

/**
 * Candidate against baseline for each that both have; undefined where they differ in protocols alone, which are compared with each
 * other besides.
 */
export function gatePairs(
  arms: readonly ArmInput[],
  { factor }: GateSubjects,
): [string, string][] | undefined {
  if (settingsOf(arms, factor) === undefined && arms.length <= crossedArms) return undefined;
  const labels = parseArms(arms).map(({ label }) => label);
  const half = labels.length / 2;
  return labels.slice(0, half).map((label, place) => [label, labels[half + place] ?? label]);
}
