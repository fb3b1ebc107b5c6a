import { expectedLoadOf, pastLoadOf, type PastLoad } from '../../analyse/derive/expected-load.ts';
import { lostHeaderOf } from '../../analyse/validity/app-rules.ts';
import type { ExpectedLoad, LostHeader } from '../../core/model/expected-load.ts';
import type { Har } from '../../core/model/har.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { readEvidence, readHar } from '../../store/evidence.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { contentOf } from '../plan/arm-addresses.ts';

/** A page that changes while it is measured is compared with what it was lately. */
const latestLoads = 4;

type LoadedBy = Pick<PlannedTrial, 'trialId' | 'arm' | 'client' | 'workload' | 'factors'>;

/**
 * What the trials of a run that count have loaded, by page and arm, so that a later one that loaded something else is seen.
 * After a resume it knows what it knew before. Second visits and journeys load what the first one, or the script, left to load.
 */
export class ExpectedLoads {
  readonly #directory: Pick<RunDirectory, 'trialDir' | 'plan'>;
  readonly #pages: ReadonlySet<string>;
  readonly #loads = new Map<string, readonly PastLoad[]>();
  /** Of recorded loads of an app, by page and server. */
  readonly #lostHeaders = new Map<string, LostHeader>();
  /** Loads of live pages before their trials, by content: the browser was recorded, and went by itself. */
  readonly #scouted: ReadonlyMap<string, PastLoad>;

  constructor(
    directory: Pick<RunDirectory, 'trialDir' | 'journal' | 'plan'>,
    scouted: ReadonlyMap<string, Har> = new Map(),
  ) {
    this.#directory = directory;
    this.#pages = new Set(
      directory.plan.workloads
        .filter(({ kind, view }) => kind === 'page' && view !== 'repeat')
        .map(({ id }) => id),
    );
    this.#scouted = new Map([...scouted].map(([id, har]) => [id, pastLoadOf(har)]));
    const { records } = directory.journal();
    records.filter((record) => !isOk(record)).forEach((record) => this.took(record, record));
    for (const latest of Map.groupBy(records.filter(isOk), pageAndArm).values())
      latest.slice(-latestLoads).forEach((record) => this.took(record, record));
  }

  /** What this trial must have loaded; undefined where no load of it is known. */
  of(trial: LoadedBy): ExpectedLoad | undefined {
    if (!this.#pages.has(trial.workload)) return undefined;
    const scouted = this.#scouted.get(contentOf(trial));
    const expected = expectedLoadOf([...(scouted === undefined ? [] : [scouted]), ...this.#loadsOf(trial)]);
    const lostHeader = this.#lostHeaders.get(pageAndServer(trial));
    return lostHeader === undefined ? expected : { ...(expected ?? nothingExpected), lostHeader };
  }

  /** A trial's record is written: what it loaded counts from now on, if the trial does. */
  took(trial: LoadedBy, record: Pick<TrialRecord, 'status' | 'artifacts'>): void {
    if (!this.#pages.has(trial.workload)) return;
    if (!isOk(record)) return this.#learnLostHeader(trial, record);
    const har = readHar(this.#directory.trialDir(trial.trialId));
    if (har === null) return;
    this.#loads.set(pageAndArm(trial), [...this.#loadsOf(trial), pastLoadOf(har)].slice(-latestLoads));
  }

  #learnLostHeader(trial: LoadedBy, { artifacts }: Pick<TrialRecord, 'artifacts'>): void {
    if (this.#directory.plan.app === undefined || artifacts['raw'] === undefined) return;
    const { workload, raw, har } = readEvidence(this.#directory.trialDir(trial.trialId));
    if (workload.app === undefined || raw.app === undefined) return;
    const lost = lostHeaderOf({ app: workload.app, ledger: raw.app, har });
    if (lost !== undefined) this.#lostHeaders.set(pageAndServer(trial), lost);
  }

  #loadsOf(trial: LoadedBy): readonly PastLoad[] {
    return this.#loads.get(pageAndArm(trial)) ?? [];
  }
}

const isOk = ({ status }: Pick<TrialRecord, 'status'>): boolean => status === 'ok';

const pageAndServer = (trial: LoadedBy): string =>
  [contentOf(trial), trial.factors.server ?? '', trial.factors.proxy ?? ''].join('\u0000');

const nothingExpected: ExpectedLoad = { loads: 0, isRecorded: true, requests: [] };

const pageAndArm = (trial: LoadedBy): string => [contentOf(trial), trial.client, trial.arm].join('\u0000');
