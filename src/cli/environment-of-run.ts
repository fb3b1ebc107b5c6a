import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../../harness/machine.ts';
import type { RunningPath } from '../../harness/paths.ts';
import type { Pinning } from '../../harness/pinning.ts';
import type { ClientDescription, Environment } from '../model/environment.ts';

interface PackageFile {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface EnvironmentInput {
  readonly projectDir: string;
  readonly startedAt: string;
  readonly clients: readonly ClientDescription[];
  readonly paths: readonly RunningPath[];
  readonly pinning: Pinning;
  readonly ffmpeg: string | null;
  readonly warnings: readonly string[];
}

function gitRevision(projectDir: string): string | null {
  const result = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], {
    cwd: projectDir,
    encoding: 'utf8',
  });
  return result.status === 0 ? result.stdout.trim() : null;
}

/** Loads above this share of the CPUs by others disturb what is measured. */
const quietLoadShare = 0.5;
const stealLimit = 0.02;

function noiseWarnings(machine: Environment['machine']): string[] {
  const warnings: string[] = [];
  if (machine.loadAverage1m > machine.cpuCount * quietLoadShare) {
    warnings.push(
      `other load on this machine when the run began: load average ${machine.loadAverage1m.toFixed(1)} on ${machine.cpuCount} CPUs`,
    );
  }
  if (machine.stealShare !== null && machine.stealShare > stealLimit) {
    warnings.push(
      `the hypervisor took ${(machine.stealShare * 100).toFixed(0)} % of the CPU time when the run began`,
    );
  }
  if (machine.governor !== null && machine.governor !== 'performance') {
    warnings.push(`CPU frequency governor is "${machine.governor}": frequencies may change during the run`);
  }
  return warnings;
}

/** Everything a reader needs to run it again, gathered when the first trial is about to start. */
export async function gatherEnvironment(input: EnvironmentInput): Promise<Environment> {
  const own = JSON.parse(readFileSync(join(input.projectDir, 'package.json'), 'utf8')) as PackageFile;
  const machine = await describeMachine();
  const servers = new Map(
    input.paths.map(({ server, network }) => {
      const { name, note } = network.tcpCongestionControl;
      const description = { ...server.description, tcpCongestionControl: name };
      return [
        `${server.description.id}\u0000${name}`,
        note === undefined ? description : { ...description, tcpCongestionControlNote: note },
      ];
    }),
  );
  return {
    schemaVersion: 1,
    startedAt: input.startedAt,
    machine,
    node: process.versions.node,
    h2h3: { version: own.version, gitRevision: gitRevision(input.projectDir) },
    packages: own.dependencies,
    ffmpeg: input.ffmpeg,
    clients: [...input.clients],
    servers: [...servers.values()],
    networks: [
      ...new Map(input.paths.map(({ network }) => [network.description.id, network.description])).values(),
    ],
    pinning: input.pinning,
    warnings: [...input.warnings, ...noiseWarnings(machine)],
  };
}
