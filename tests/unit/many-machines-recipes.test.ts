import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { projectDir } from '../support/source-graph.ts';

const folder = join(projectDir, 'examples', 'many-machines');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** A value deep in a document, by its names. */
function at(document: unknown, ...names: readonly (string | number)[]): unknown {
  return names.reduce<unknown>(
    (value, name) => (value as Record<string | number, unknown> | undefined)?.[name],
    document,
  );
}

test('no recipe starts a shard again by itself', () => {
  const job: unknown = parse(textOf('kubernetes-job.yaml'));
  assert.equal(at(job, 'spec', 'completionMode'), 'Indexed');
  assert.equal(at(job, 'spec', 'backoffLimitPerIndex'), 0);
  assert.equal(at(job, 'spec', 'template', 'spec', 'restartPolicy'), 'Never');
  assert.match(textOf('slurm-array.sh'), /^#SBATCH --no-requeue$/m);
});

test('no recipe puts two shards on one machine', () => {
  const job: unknown = parse(textOf('kubernetes-job.yaml'));
  const rule = at(
    job,
    'spec',
    'template',
    'spec',
    'affinity',
    'podAntiAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
    0,
  );
  assert.equal(at(rule, 'topologyKey'), 'kubernetes.io/hostname');
  assert.deepEqual(
    at(rule, 'labelSelector', 'matchLabels'),
    at(job, 'spec', 'template', 'metadata', 'labels'),
  );
  assert.match(textOf('slurm-array.sh'), /^#SBATCH --exclusive$/m);
});

test('there are as many shards as the recipes say', () => {
  const job: unknown = parse(textOf('kubernetes-job.yaml'));
  const count = at(job, 'spec', 'completions') as number;
  const args = String(at(job, 'spec', 'template', 'spec', 'containers', 0, 'args', 0));
  assert.ok(args.includes(`--shard "$((JOB_COMPLETION_INDEX + 1))/${count}"`), args);
  const workflow: unknown = parse(textOf('github-actions.yaml'));
  const shards = at(workflow, 'jobs', 'shard', 'strategy', 'matrix', 'shard') as number[];
  assert.ok(textOf('github-actions.yaml').includes(`--shard \${{ matrix.shard }}/${shards.length}`));
  assert.ok(
    textOf('github-actions.yaml').includes(`merge ${shards.map((shard) => `part-${shard}`).join(' ')} `),
  );
});

test('the queue of the compose file keeps what it was told, and workers have what paths need', () => {
  const compose: unknown = parse(textOf('compose.yaml'));
  const command = at(compose, 'services', 'valkey', 'command') as string[];
  assert.deepEqual(command.slice(1, 3), ['--appendonly', 'yes']);
  assert.ok(command.includes('noeviction'));
  assert.deepEqual(at(compose, 'services', 'worker', 'cap_add'), ['NET_ADMIN', 'SYS_ADMIN']);
});
