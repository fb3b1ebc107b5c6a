import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, type SeededRandom } from '../../src/core/model/seeded-random.ts';
import { readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { type RunningCli, readPlan, readRunFile, startCli } from '../support/cli.ts';

/** What is killed. */
export const victims = [
  'launcher',
  'group',
  'worker',
  'browser',
  'server',
  'emulator',
  'holder',
  'reaper',
] as const;
export type Victim = (typeof victims)[number];
/** Without a shaped path there is neither an emulator nor a holder of namespaces. */
export const victimsOverLoopback = victims.filter((victim) => victim !== 'emulator' && victim !== 'holder');

/** How each kind of process is known by its command line, the first that fits. */
const signs: readonly (readonly [Victim, RegExp])[] = [
  ['reaper', /reaper\.ts|reaper\.js/],
  ['worker', /trial-worker|worker\.ts|worker\.js/],
  ['server', /caddy|nginx/],
  ['emulator', /path-emulator/],
  ['browser', /chrom|firefox|headless/i],
];

/** Something that is done to a run at a random instant. */
export interface Strike {
  /** Whether there is something to do it to. */
  readonly isThere: (runPid: number) => boolean;
  /** False: it was gone meanwhile. */
  readonly strike: (runPid: number, random: SeededRandom) => boolean | Promise<boolean>;
  /** Longest time from the moment at which it is there until it is done, ms. */
  readonly maxWaitMs: number;
  /** Whether the run ends by it. */
  readonly endsRun: boolean;
  /** Puts right what was done to the surroundings; called after the end of a run that ends by it, else at once. */
  readonly after?: () => void | Promise<void>;
}

export interface TortureOptions {
  /** Plan options of `h2h3 run`, without `--out`. */
  readonly run: readonly string[];
  /** Variables of the run. Default: none more than the test's. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly instants: number;
  readonly seed: number;
  /** Folder of the runs, which the caller removes. */
  readonly folder: string;
  /** What is killed, each equally often in turn. Default: all. */
  readonly victims?: readonly Victim[];
  /** What is done instead, by name, each equally often in turn. */
  readonly strikes?: Readonly<Record<string, Strike>>;
  /** What of a run is left in other places, in words. Default: nothing. */
  readonly leftElsewhere?: () => readonly string[];
  /** What is wrong with a run that is complete, in words, beyond what is looked at anyway. Default: nothing. */
  readonly judge?: (out: string) => readonly string[];
  /** How long what a killed run leaves may take to end, ms. Default: 10 s, which is the run's own limit. */
  readonly goneLimitMs?: number;
}

export interface TortureResult {
  /** How often each was killed; a victim that the run ended without is none. */
  readonly kills: Readonly<Record<string, number>>;
  readonly completedRuns: number;
  /** Everything that should not be, in words. */
  readonly faults: readonly string[];
  /** What all runs said. */
  readonly said: string;
}

/** Longest time from the moment at which one is seen until one is killed: a launcher also while it starts the others. */
const maxWaitOf = (victim: Victim): number => (victim === 'launcher' || victim === 'group' ? 8_000 : 2_000);

/** The death of one process of a kind. */
function killing(victim: Victim): Strike {
  return {
    isThere: (runPid) => processesOfKind(runPid, victim).length > 0,
    strike: (runPid, random) => {
      const pids = processesOfKind(runPid, victim);
      const chosen = pids[random.integer(pids.length)];
      if (chosen !== undefined) kill(victim === 'group' ? -chosen : chosen);
      return chosen !== undefined;
    },
    maxWaitMs: maxWaitOf(victim),
    endsRun: victim === 'launcher' || victim === 'group',
  };
}

const maxRunsPerInstant = 3;
/** A run that begins again and again without end would never be seen to hang otherwise. */
const completionLimitMs = 600_000;

/** Living processes of the run of this process, by kind. */
function processesOf(pid: number): ReadonlyMap<Victim, number[]> {
  const found = new Map<Victim, number[]>();
  for (const row of readProcessTable()) {
    if (row.zombie || row.pid === pid || !environmentOf(row.pid).includes(`H2H3_RUN_ID=${pid}-`)) continue;
    const kind = signs.find(([, sign]) => sign.test(row.commandLine))?.[0] ?? 'holder';
    found.set(kind, [...(found.get(kind) ?? []), row.pid]);
  }
  return found;
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return ''; // ended meanwhile
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // ended meanwhile
  }
}

/** What belongs to the machine and not to a run: anything more afterwards was left over. */
function surroundings(): string[] {
  const netns = existsSync('/run/netns') ? readdirSync('/run/netns') : [];
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => /h2h3|netns/.test(line));
  return [...netns, ...readdirSync('/sys/class/net'), ...mounts];
}

function leftOver(pid: number, before: readonly string[]): string[] {
  const processes = [...processesOf(pid)].flatMap(([kind, pids]) => pids.map((one) => `${kind} ${one}`));
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`h2h3-${pid}-`));
  const others = surroundings().filter(
    (name) => /h2h3/.test(name) && !before.includes(name) && name.includes(String(pid)),
  );
  return [...processes, ...folders, ...others];
}

async function leftAfterGrace(
  { leftElsewhere = () => [], goneLimitMs = 10_000 }: TortureOptions,
  pid: number,
  before: readonly string[],
): Promise<readonly string[]> {
  const endMs = performance.now() + goneLimitMs;
  const look = (): readonly string[] => [...leftOver(pid, before), ...leftElsewhere()];
  let left = look();
  while (left.length > 0 && performance.now() < endMs) {
    await sleep(200);
    left = look();
  }
  return left;
}

function journalIds(out: string): string[] {
  const file = join(out, 'journal.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [(JSON.parse(line) as { trialId: string }).trialId];
      } catch {
        return []; // cut short by a kill: the trial is run again
      }
    });
}

/** What is wrong with a run that says it is complete. */
function runFaults(out: string, planText: string): string[] {
  const ids = journalIds(out);
  const planned = readPlan(out).trials.map(({ trialId }) => trialId);
  return [
    ...(new Set(ids).size === ids.length ? [] : [`${out}: a trial stands twice in the journal`]),
    ...(planned.every((id) => ids.includes(id)) && ids.every((id) => planned.includes(id))
      ? []
      : [`${out}: the journal holds other trials than the plan`]),
    ...(readRunFile(out, 'plan.json') === planText ? [] : [`${out}: the plan has changed`]),
  ];
}

/** One run directory that is tortured until its plan is done. */
class Tortured {
  readonly out: string;
  readonly #options: TortureOptions;
  #cli: RunningCli | null = null;
  #ended = true;
  #planText = '';
  #before: string[] = [];
  readonly faults: string[] = [];
  said = '';

  constructor(out: string, options: TortureOptions) {
    this.out = out;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#ended ? undefined : this.#cli?.child.pid;
  }

  get isComplete(): boolean {
    if (!existsSync(join(this.out, 'plan.json'))) return false;
    return new Set(journalIds(this.out)).size >= readPlan(this.out).trials.length;
  }

  start(): void {
    const begun = existsSync(join(this.out, 'plan.json'));
    if (begun && this.#planText === '') this.#planText = readFileSync(join(this.out, 'plan.json'), 'utf8');
    this.#before = surroundings();
    this.#ended = false;
    const { run, environment = {} } = this.#options;
    const args = begun ? ['run', '--resume', this.out] : ['run', ...run, '--out', this.out];
    const cli = startCli(args, environment, { detached: true });
    this.#cli = cli;
    void cli.result.then(({ code, signal, stderr }) => {
      this.#ended = true;
      this.said += stderr;
      // 3: a server or browser that was killed may be told as something that the machine lacks for the moment.
      if (signal === null && ![0, 3, 4].includes(code ?? -1))
        this.faults.push(`${this.out}: ended with ${code}: ${stderr.slice(-600)}`);
      if (/fault of h2h3 itself/.test(stderr)) this.faults.push(`${this.out}: ${stderr.slice(-600)}`);
    });
  }

  /** Waits for the end and names what is left then for too long. */
  async end(): Promise<void> {
    if (this.#cli === null) return;
    const { pid } = this.#cli.child;
    await this.#cli.result;
    if (pid === undefined) return;
    for (const left of await leftAfterGrace(this.#options, pid, this.#before))
      this.faults.push(`${this.out}: left over: ${left}`);
  }

  /** Goes on until the plan is done. */
  async complete(): Promise<void> {
    const endMs = performance.now() + completionLimitMs;
    await this.end();
    while (!this.isComplete && performance.now() < endMs) {
      this.start();
      await this.end();
    }
    if (!this.isComplete) this.faults.push(`${this.out}: not complete after ${completionLimitMs / 1000} s`);
    else
      this.faults.push(
        ...runFaults(
          this.out,
          this.#planText === '' ? readFileSync(join(this.out, 'plan.json'), 'utf8') : this.#planText,
        ),
        ...(this.#options.judge?.(this.out) ?? []),
      );
  }
}

/** Processes of this kind now. */
function processesOfKind(pid: number, victim: Victim): readonly number[] {
  return victim === 'launcher' || victim === 'group' ? [pid] : (processesOf(pid).get(victim) ?? []);
}

/** Strikes a while after there was something to strike first; false where the run ended before. */
async function strikeOnce(one: Tortured, what: Strike, random: SeededRandom): Promise<boolean> {
  const seen = async (): Promise<number | undefined> => {
    while (one.pid !== undefined) {
      if (what.isThere(one.pid)) return one.pid;
      await sleep(20);
    }
    return undefined;
  };
  await seen();
  await sleep(random.integer(what.maxWaitMs));
  const pid = await seen();
  return pid !== undefined && (await what.strike(pid, random));
}

/** Every one equally often, in random order. */
function shuffled(names: readonly string[], count: number, random: SeededRandom): string[] {
  const drawn = Array.from({ length: count }, (_, index) => names[index % names.length] ?? '');
  for (let last = drawn.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [drawn[last], drawn[other]] = [drawn[other] ?? '', drawn[last] ?? ''];
  }
  return drawn;
}

/**
 * Kills processes of every kind of a run at random instants, or does what it is given, and resumes the run, again and again;
 * looks after each end for what is left over, and at a run's completion for trials that are missing or stand twice.
 */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const { instants, seed, folder, victims: kinds = victims } = options;
  const strikes =
    options.strikes ?? Object.fromEntries(kinds.map((victim) => [victim, killing(victim)] as const));
  const random = seededRandom(seed);
  const kills: Record<string, number> = Object.fromEntries(Object.keys(strikes).map((name) => [name, 0]));
  const faults: string[] = [];
  let said = '';
  let completedRuns = 0;
  let one = new Tortured(join(folder, 'run-0'), options);
  const complete = async (): Promise<void> => {
    await one.complete();
    faults.push(...one.faults);
    said += one.said;
    completedRuns++;
  };
  for (const name of shuffled(Object.keys(strikes), instants, random)) {
    const what = strikes[name];
    if (what === undefined) continue;
    let struck = false;
    // A run may end before there is one of the kind; the next has it.
    for (let tries = 0; tries < maxRunsPerInstant && !struck; tries++) {
      if (one.pid === undefined) {
        await one.end();
        if (one.isComplete) {
          await complete();
          one = new Tortured(join(folder, `run-${completedRuns}`), options);
        }
        one.start();
      }
      struck = await strikeOnce(one, what, random);
    }
    if (struck) kills[name] = (kills[name] ?? 0) + 1;
    if (what.endsRun) await one.end();
    await what.after?.();
  }
  await complete();
  return { kills, completedRuns, faults, said };
}
