import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { leasesOf } from '../../src/core/model/lease.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { seededRandom, type SeededRandom } from '../../src/core/model/seeded-random.ts';
import { filesBelow } from '../../src/core/system/files-below.ts';
import { processesWith, readPlan, readRecords, startCli, type RunningCli } from '../support/cli.ts';
import { openLabHosts, type LabHost } from '../support/lab-hosts.ts';
import { startValkey, type Valkey } from '../support/valkey.ts';

/** What is killed: one of the workers, the coordinator, the queue. */
export const parties = ['worker', 'coordinator', 'queue'] as const;
export type Party = (typeof parties)[number];

export interface KillOptions {
  /** Plan options of `h2h3 run`, without those of workers and without `--out`. */
  readonly run: readonly string[];
  /** Names of the hosts, one worker each. */
  readonly hosts: readonly string[];
  readonly kills: number;
  readonly seed: number;
  /** After so long a silent worker is lost, as `--lost-after` takes it; a busy machine may keep a living one silent. */
  readonly lostAfter: string;
  /** Longest time between two kills, ms. */
  readonly maxWaitMs: number;
  /** Folder of everything, which the caller removes. */
  readonly folder: string;
  readonly say?: (line: string) => void;
}

export interface KillResult {
  readonly kills: Readonly<Record<Party, number>>;
  /** Runs that came to their end. */
  readonly runs: number;
  /** Trials of all runs that were measured. */
  readonly measured: number;
  /** Leases of all runs that were lost. */
  readonly lost: number;
  /** Everything that should not be, in words. */
  readonly faults: readonly string[];
}

/** A queue that was killed is away for so long at most, ms: less than after what a silent worker is lost. */
const maxOutageMs = 3_000;
/** What a killed host leaves is gone after 10 s on a machine that has time for it. */
const goneLimitMs = 60_000;
const pollMs = 100;
/** Exit codes of what ended by itself: done, refused for the moment, trials failed, asked to stop. */
const expectedCodes: readonly (number | null)[] = [0, 3, 4, 130];

/** A lease that was taken from one who was held up, and an A/A that found by chance what is not there. */
const refusals = /took lease .* away|finds a difference between/;

interface Started extends RunningCli {
  ended: boolean;
}

/** Machines that share runs, of which parts are killed and started again. */
class Lab {
  readonly #options: KillOptions;
  readonly #hosts: readonly LabHost[];
  readonly #valkey: Valkey;
  readonly #workers = new Map<LabHost, Started>();
  #coordinator: Started | null = null;
  #runs = 0;
  #expected = new Set<RunningCli>();
  readonly mark: string;
  readonly result = { runs: 0, measured: 0, lost: 0, faults: [] as string[] };

  constructor(options: KillOptions, hosts: readonly LabHost[], valkey: Valkey) {
    this.#options = options;
    this.#hosts = hosts;
    this.#valkey = valkey;
    this.mark = `H2H3_LAB=${options.folder}`;
  }

  get #out(): string {
    return join(this.#options.folder, `run-${this.#runs}`);
  }

  get #results(): string {
    return join(this.#options.folder, 'shared');
  }

  /** Starts whatever is not there, and begins the next run where one is done. */
  tend(more: boolean): void {
    for (const host of this.#hosts)
      if (this.#workers.get(host)?.ended !== false) this.#workers.set(host, this.#startWorker(host));
    if (this.#coordinator?.ended === false) return;
    if (this.isDone()) {
      if (!more) return;
      this.#judge();
      this.#runs++;
    }
    this.#coordinator = this.#startCoordinator();
  }

  /** Whether the run that is under way came to its end. */
  isDone(): boolean {
    return this.#coordinator?.ended === true && existsSync(join(this.#out, 'report.html'));
  }

  /** Kills one of a kind; of a host all that it runs at once or only its worker, which must come to the same. */
  async kill(party: Party, random: SeededRandom): Promise<string> {
    if (party === 'queue') {
      await this.#valkey.kill();
      const outageMs = random.integer(maxOutageMs);
      await sleep(outageMs);
      await this.#valkey.restart();
      return `queue, away for ${outageMs} ms`;
    }
    const host = this.#hosts[random.integer(this.#hosts.length)] as LabHost;
    const cli = party === 'worker' ? this.#workers.get(host) : this.#coordinator;
    const pid = cli?.child.pid;
    if (cli === undefined || cli === null || cli.ended || pid === undefined) return '';
    const whole = random.next() < 0.5;
    this.#expected.add(cli);
    process.kill(whole ? -pid : pid, 'SIGKILL');
    await cli.result;
    return `${party === 'worker' ? host.name : party}${whole ? ' with all that it runs' : ''}`;
  }

  /** Waits for the end of the run, ends the workers, and looks at what is left. */
  async end(): Promise<void> {
    while (!this.isDone()) {
      this.tend(false);
      await sleep(pollMs);
    }
    this.#judge();
    const workers = [...this.#workers.values()];
    for (const cli of workers) if (!cli.ended) cli.child.kill('SIGINT');
    await Promise.all(workers.map(({ result }) => result));
    await this.#valkey.kill();
    await this.#judgeLeftOver();
  }

  #startWorker(host: LabHost): Started {
    return this.#watch(
      `worker ${host.name}`,
      host.start(
        ['worker', this.#queueAt(host.gateway), '--results', this.#results, '--host', host.name],
        this.#environment(),
      ),
    );
  }

  #startCoordinator(): Started {
    const place = ['--workers', this.#queueAt('127.0.0.1'), '--results', this.#results];
    const begun = existsSync(join(this.#out, 'plan.json'));
    const spare = [
      '--spare-blocks',
      '2',
      '--lost-after',
      this.#options.lostAfter,
      '--no-sequential',
      '--exploratory',
    ];
    const args = begun
      ? ['run', '--resume', this.#out, ...place]
      : ['run', ...this.#options.run, ...spare, ...place, '--out', this.#out];
    return this.#watch('coordinator', startCli(args, this.#environment(), { detached: true }));
  }

  #environment(): Readonly<Record<string, string>> {
    return { H2H3_LAB: this.#options.folder, H2H3_LAB_WORD: password, H2H3_WORKERS_KEY: workersKey };
  }

  #queueAt(host: string): string {
    return `redis://:\${H2H3_LAB_WORD}@${host}:${this.#valkey.port}`;
  }

  #watch(name: string, cli: RunningCli): Started {
    const started = { ...cli, ended: false };
    void cli.result.then(({ code, signal, stderr }) => {
      started.ended = true;
      // One that is asked to stop before it can listen is ended by the signal.
      const told = signal === 'SIGINT' || (signal === 'SIGKILL' && this.#expected.has(started));
      if (!told && !expectedCodes.includes(code) && !refusals.test(stderr))
        this.result.faults.push(`${name} ended with ${code ?? signal}: ${stderr.slice(-800)}`);
    });
    return started;
  }

  #judge(): void {
    const { faults, measured, lost } = judgeRun(this.#out, this.#results);
    this.result.runs++;
    this.result.measured += measured;
    this.result.lost += lost;
    this.result.faults.push(...faults.map((fault) => `run ${this.#runs}: ${fault}`));
    this.#options.say?.(
      `run ${this.#runs}: ${measured} trials measured, ${lost} leases lost, ${faults.length} faults`,
    );
  }

  async #judgeLeftOver(): Promise<void> {
    const endMs = performance.now() + goneLimitMs;
    let left = processesWith(this.mark);
    while (left.length > 0 && performance.now() < endMs) {
      await sleep(pollMs);
      left = processesWith(this.mark);
    }
    const folders = this.#hosts.flatMap(({ path }) => foldersBelow(join(path, 'results', 'workers')));
    this.result.faults.push(
      ...left.map((one) => `still running: ${one}`),
      ...folders.map((one) => `left by a worker: ${one}`),
    );
  }
}

const password = 'lab';
const workersKey = 'f3a1'.repeat(16);

function foldersBelow(path: string): string[] {
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
}

/** What is wrong with a run that says it is done, and how much it proves. */
function judgeRun(
  out: string,
  results: string,
): { readonly faults: readonly string[]; readonly measured: number; readonly lost: number } {
  const records = readRecords(out);
  const plan = readPlan(out);
  const byTrial = new Map(records.map((record) => [record.trialId, record]));
  const faults: string[] = [];
  if (byTrial.size !== records.length) faults.push('a trial stands twice in the journal');
  const planned = new Set(plan.trials.map(({ trialId }) => trialId));
  const unplanned = records.filter(({ trialId }) => !planned.has(trialId));
  const unnamed = [...planned].filter((trialId) => !byTrial.has(trialId));
  if (unplanned.length > 0) faults.push(`${unplanned.length} records of trials that are not in the plan`);
  if (unnamed.length > 0) faults.push(`${unnamed.length} trials of the plan without a record: ${unnamed[0]}`);
  for (const { trialId, status, reason = '' } of records)
    if (status === 'not-run' && !/^lease lost: |^spare block, not needed$/.test(reason))
      faults.push(`${trialId} was not run for no reason that is known: ${reason}`);
  const runId = plan.queue?.runId ?? '';
  const own = join(results, 'runs', runId);
  for (const table of ['runs', 'observations'])
    if (!existsSync(join(results, 'tables', table, `${runId}.parquet`)))
      faults.push(`the store has no table of ${table}`);
  faults.push(...unlikeStore(join(own, 'records'), byTrial), ...lacking(out, records));
  let lost = 0;
  for (const { leaseId, trials } of leasesOf(plan)) {
    const ran = trials.flatMap(({ trialId }) => byTrial.get(trialId) ?? []);
    if (ran.some(({ reason }) => reason?.startsWith('lease lost: '))) lost++;
    const hosts = [...new Set(ran.filter(isMeasured).map(({ host = '' }) => host))];
    const claim = join(own, 'claims', leaseId);
    if (hosts.length > 1) faults.push(`${leaseId} ran on ${hosts.join(' and ')}`);
    else if (hosts.length === 1 && readFileSync(claim, 'utf8') !== hosts[0])
      faults.push(`${leaseId} ran on ${hosts[0]}, which did not claim it`);
  }
  return { faults, measured: records.filter(isMeasured).length, lost };
}

const isMeasured = ({ status }: TrialRecord): boolean => status !== 'not-run';

/** Everything that a worker kept is in the journal as the worker wrote it. */
function unlikeStore(folder: string, byTrial: ReadonlyMap<string, TrialRecord>): string[] {
  return filesBelow(folder).flatMap((name) => {
    const { record } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { record: TrialRecord };
    const journalled = byTrial.get(record.trialId);
    return isDeepStrictEqual(JSON.parse(JSON.stringify(journalled ?? null)), record)
      ? []
      : [`${record.trialId} was kept as ${record.status} and is journalled as ${journalled?.status}`];
  });
}

/** Files that records name and that are not there. */
function lacking(out: string, records: readonly TrialRecord[]): string[] {
  return records.flatMap(({ trialId, artifacts }) =>
    Object.values(artifacts)
      .filter((name) => !existsSync(join(out, name)))
      .map((name) => `${trialId} lacks ${name}`),
  );
}

/**
 * Kills workers, coordinator and queue at random moments and starts them again, run after run, and looks after each run at what
 * it left.
 */
export async function killWorkers(t: Pick<TestContext, 'after'>, options: KillOptions): Promise<KillResult> {
  const { folder, kills: count, seed, maxWaitMs, say } = options;
  const data = join(folder, 'valkey');
  mkdirSync(data);
  const hosts = await openLabHosts(t, folder, options.hosts);
  const valkey = await startValkey(t, data, { password, bind: '0.0.0.0' });
  const lab = new Lab(options, hosts, valkey);
  const random = seededRandom(seed);
  const kills: Record<Party, number> = { worker: 0, coordinator: 0, queue: 0 };
  const drawn = random.shuffle(Array.from({ length: count }, (_, index) => parties[index % parties.length]));
  for (const party of drawn as Party[]) {
    const endMs = performance.now() + random.integer(maxWaitMs);
    let killed = '';
    while (killed === '') {
      lab.tend(true);
      await sleep(pollMs);
      if (performance.now() > endMs) killed = await lab.kill(party, random);
    }
    kills[party]++;
    say?.(`killed ${killed}`);
  }
  await lab.end();
  return { kills, ...lab.result };
}
