import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../../system/machine.ts';
import type { Testbed } from '../../../harness/testbed/testbed.ts';
import type { Pinning } from '../../../harness/testbed/pinning.ts';
import type { ClientDescription, Environment } from '../../model/environment.ts';
import type { Remote } from '../../model/live-address.ts';
import { gitRevision } from '../version.ts';

interface PackageFile {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface EnvironmentInput {
  readonly projectDir: string;
  readonly startedAt: string;
  readonly host: string;
  readonly clients: readonly ClientDescription[];
  readonly testbeds: readonly Testbed[];
  readonly pinning: Pinning;
  readonly remotes: readonly Remote[];
  readonly ffmpeg: string | null;
  readonly warnings: readonly string[];
}

/** Everything a reader needs to run it again, gathered when the first trial is about to start. */
export async function gatherEnvironment(input: EnvironmentInput): Promise<Environment> {
  const own = JSON.parse(readFileSync(join(input.projectDir, 'package.json'), 'utf8')) as PackageFile;
  const machine = await describeMachine();
  const senders = input.testbeds.flatMap(({ proxies, server }) => [server, ...proxies]);
  // One server may run with several algorithms in a run, so its name alone does not tell it.
  const servers = new Map(senders.map(({ description }) => [JSON.stringify(description), description]));
  const serverWarnings = senders.flatMap((sender) =>
    sender.warnings.map((warning) => `${sender.description.name}: ${warning}`),
  );
  return {
    schemaVersion: 1,
    startedAt: input.startedAt,
    host: input.host,
    machine,
    node: process.versions.node,
    h2h3: { version: own.version, gitRevision: gitRevision(input.projectDir) },
    packages: own.dependencies,
    ffmpeg: input.ffmpeg,
    clients: [...input.clients],
    servers: [...servers.values()],
    networks: [
      ...new Map(input.testbeds.map(({ network }) => [network.description.id, network.description])).values(),
    ],
    pinning: input.pinning,
    ...(input.remotes.length > 0 ? { remotes: [...input.remotes] } : {}),
    warnings: [...new Set([...input.warnings, ...serverWarnings])],
  };
}
