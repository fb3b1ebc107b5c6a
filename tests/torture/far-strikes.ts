import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silenceLimitMs } from '../../harness/hosts/far-protocol.ts';
import { foundOr, hasErrno } from '../../src/core/model/errors.ts';
import { processesWith, readRecords } from '../support/cli.ts';
import type { MachineInABox } from '../support/machine-in-a-box.ts';
import { killIfThere, processesWith as processesNamed } from '../support/processes.ts';
import { torture, type Strike, type TortureOptions, type TortureResult } from './torture-run.ts';

/** What the machine in the box has of a run. */
export type FarRole = 'servers' | 'clients';

/** What can happen to a run on two machines. */
export const farStrikeNames = [
  'ssh',
  'session',
  'agent',
  'part',
  'everything',
  'frozen',
  'link',
  'coordinator',
  'coordinator and link',
  'disk',
] as const;
export type FarStrikeName = (typeof farStrikeNames)[number];

/** One of each kind, for a test that takes minutes. */
export const shortStrikeNames: readonly FarStrikeName[] = [
  'ssh',
  'part',
  'everything',
  'link',
  'coordinator',
  'coordinator and link',
  'disk',
];

/** Longer than either end waits for the other. */
const lostMs = silenceLimitMs + 4_000;
const ofRunThatStays = { maxWaitMs: 3_000, endsRun: false };
const ofRunThatEnds = { maxWaitMs: 3_000, endsRun: true };

const commandLineOf = (pid: number): string =>
  foundOr(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' '), '', 'ESRCH');

/** To a process that may have ended meanwhile. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (thrown) {
    if (!hasErrno(thrown, 'ESRCH')) throw thrown;
  }
}

/** The death of all processes that are found. */
function killing(find: () => readonly number[]): Strike {
  return {
    ...ofRunThatStays,
    isThere: () => find().length > 0,
    strike: () => {
      const pids = find();
      pids.forEach(killIfThere);
      return pids.length > 0;
    },
  };
}

const thereIn = (box: MachineInABox, sign: RegExp): number[] =>
  box.processes().filter((pid) => sign.test(commandLineOf(pid)));
const agentsOf = (box: MachineInABox): number[] => thereIn(box, /far-agent\./);
/** Servers, or processes that run trials. */
const partsOf = (box: MachineInABox, role: FarRole): number[] =>
  thereIn(box, role === 'servers' ? /caddy/ : /trial-worker\./);
/** The `ssh` here that all others go over. */
const mastersOf = ({ sshConfig }: MachineInABox): number[] =>
  processesNamed(` -F ${sshConfig} -M -N -S `).map(({ pid }) => pid);

function setLink({ link }: MachineInABox, state: 'up' | 'down'): void {
  spawnSync('ip', ['link', 'set', link, state], { stdio: 'ignore' });
}

function farStrikes(box: MachineInABox, role: FarRole): Readonly<Record<FarStrikeName, Strike>> {
  const isThere = (): boolean => partsOf(box, role).length > 0;
  let giveBack = (): void => undefined;
  return {
    ssh: killing(() => mastersOf(box)),
    session: killing(box.sessions),
    agent: killing(() => agentsOf(box)),
    part: killing(() => partsOf(box, role)),
    // Without any that watches, folders stay until the next connection: this run must still make one.
    everything: { ...killing(box.processes), isThere },
    frozen: {
      ...ofRunThatStays,
      isThere,
      strike: async () => {
        const pids = agentsOf(box);
        pids.forEach((pid) => signal(pid, 'SIGSTOP'));
        await sleep(lostMs);
        pids.forEach((pid) => signal(pid, 'SIGCONT'));
        return pids.length > 0;
      },
    },
    link: {
      ...ofRunThatStays,
      isThere,
      strike: async () => {
        setLink(box, 'down');
        await sleep(lostMs);
        setLink(box, 'up');
        return true;
      },
    },
    coordinator: {
      ...ofRunThatEnds,
      isThere,
      strike: (pid) => {
        killIfThere(pid);
        return true;
      },
    },
    'coordinator and link': {
      ...ofRunThatEnds,
      isThere,
      strike: (pid) => {
        setLink(box, 'down');
        killIfThere(pid);
        return true;
      },
      after: () => setLink(box, 'up'),
    },
    disk: {
      ...ofRunThatEnds,
      isThere,
      strike: () => {
        giveBack = box.fill();
        return true;
      },
      after: () => giveBack(),
    },
  };
}

/** Why a trial may have failed whose machine, or the way to it, was struck. */
const expectedReason = /the connection to farbox|on farbox|died|net::/;

export interface FarStrikeOptions extends Pick<
  TortureOptions,
  'run' | 'instants' | 'seed' | 'folder' | 'goneLimitMs'
> {
  readonly names: readonly FarStrikeName[];
  /** Default: servers. */
  readonly role?: FarRole;
}

/** Strikes runs whose servers, or clients, are in the box, as `torture` does. */
export function strikeFarRuns(
  box: MachineInABox,
  { names, role = 'servers', ...options }: FarStrikeOptions,
): Promise<TortureResult> {
  const strikes = farStrikes(box, role);
  return torture({
    ...options,
    run: [...options.run, role === 'servers' ? '--server-host' : '--client-host', box.host],
    environment: box.environment,
    strikes: Object.fromEntries(names.map((name) => [name, strikes[name]] as const)),
    leftElsewhere: () => [
      ...box.leftovers(),
      // Whatever has this box's own `ssh`.
      ...processesWith(box.environment['PATH'] ?? '?'),
    ],
    judge: (out) =>
      readRecords(out).flatMap(({ trialId, status, reason = '' }) =>
        status === 'ok' || (status === 'failed' && expectedReason.test(reason))
          ? []
          : [`${join(out, trialId)} is ${status}: ${reason}`],
      ),
  });
}

/** No fault, each strike was made, and the run said what had happened. */
export function requireWithstood({ faults, kills, said }: TortureResult): void {
  assert.deepEqual(faults, []);
  for (const [name, times] of Object.entries(kills)) assert.ok(times > 0, `never: ${name}`);
  assert.match(said, /the connection to farbox was lost.*Connecting again/);
  assert.match(said, /on farbox: .*the disk is full/);
}
