import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance, version } from '@duckdb/node-api';
import { publishTables } from '../../src/app/workers/publish-tables.ts';
import { openResultsStore } from '../../src/store/results/open-results-store.ts';
import { filesBelow } from '../../src/core/system/files-below.ts';
import { projectDir } from '../support/cli.ts';
import { writeFinishedRun } from '../support/finished-run.ts';
import { keepsContract } from '../support/results-store-contract.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { markedEnvironment } from '../support/test-scope.ts';

// Against a real server, which is compiled for it; that takes minutes, so it is a command of its own: npm run verify:s3.

const source = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const folder = join(projectDir, '.h2h3', 'versitygw');
const duckDbVersion = version().replace(/^v/, '');
const program = join(folder, 'versitygw');

function build(): void {
  if (existsSync(program)) return;
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' };
  const { status, stderr } = spawnSync('go', ['install', source], { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** DuckDB's own extension for buckets, of its version, which it would fetch itself where it may. */
function fetchHttpfs(): string {
  const duckDb = join(projectDir, '.h2h3', 'duckdb-httpfs');
  const name = `duckdb_extension_httpfs/extensions/v${duckDbVersion}/httpfs.duckdb_extension`;
  if (existsSync(join(duckDb, name))) return join(duckDb, name);
  const words = ['install', '--no-deps', '--target', duckDb, `duckdb-extension-httpfs==${duckDbVersion}`];
  const { status, stderr } = spawnSync('pip3', words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return join(duckDb, name);
}

test('a bucket of a real S3 server keeps the contract of a results store, and DuckDB reads tables from it; wrong keys are told', async (t) => {
  build();
  const data = join(tempFolder(t), 'data');
  mkdirSync(join(data, 'lab'), { recursive: true });
  const port = await freePort();
  const key = 'verify';
  const secret = 'verify-secret';
  const words = [
    '--port',
    `127.0.0.1:${port}`,
    '--access',
    key,
    '--secret',
    secret,
    '--quiet',
    'posix',
    data,
  ];
  const child = spawn(program, words, { stdio: 'ignore', env: markedEnvironment() });
  t.after(() => child.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  const answers = (): Promise<boolean> =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  while (!(await answers())) await sleep(100);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret });
  await keepsContract(() => openResultsStore(`s3://lab/night?endpoint=${endpoint}`));
  assert.deepEqual(filesBelow(join(data, 'lab', 'night', 'probe')), [], 'what was tried is removed');
  await readByDuckDb(t, endpoint, [key, secret]);
  process.env['AWS_SECRET_ACCESS_KEY'] = 'other';
  await assert.rejects(
    openResultsStore(`s3://lab/night?endpoint=${endpoint}`),
    /cannot be used: .*signature/i,
  );
  await assert.rejects(openResultsStore(`s3://lab?endpoint=nowhere`), /not the place of a bucket/);
});

/** As docs/many-machines.md tells it. */
async function readByDuckDb(
  t: TestContext,
  endpoint: string,
  [key, secret]: readonly [string, string],
): Promise<void> {
  const run = join(tempFolder(t), 'run');
  const values = writeFinishedRun(run, 1);
  await publishTables(run, 'id-1', await openResultsStore(`s3://lab/night?endpoint=${endpoint}`));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  t.after(() => connection.closeSync());
  await connection.run(`LOAD '${fetchHttpfs()}'`);
  await connection.run(
    `CREATE SECRET (TYPE s3, KEY_ID '${key}', SECRET '${secret}', REGION 'us-east-1', ENDPOINT '${new URL(endpoint).host}', URL_STYLE 'path', USE_SSL false)`,
  );
  const answer = await connection.runAndReadAll(
    `SELECT count(*)::INTEGER AS n FROM 's3://lab/night/tables/observations/*.parquet' WHERE metric = 'pltMs'`,
  );
  assert.deepEqual(answer.getRowObjectsJson(), [{ n: values.length }]);
}
