import { spawnSync, type SpawnSyncReturns } from 'node:child_process';

const program = `const { har } = require('har-validator/lib/promise');
har(JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))).catch(({ errors }) => {
  console.log(JSON.stringify(errors));
  process.exitCode = 1;
});`;

/** What the package har-validator, which is not this project's, objects to in a HAR; undefined where npm has none installed globally. */
export function objectionsToHar(file: string): string | undefined {
  const found = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' });
  const environment = { ...process.env, NODE_PATH: found.status === 0 ? found.stdout.trim() : '' };
  const ask = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, ['-e', ...args], { encoding: 'utf8', env: environment });
  if (ask("require('har-validator/lib/promise')").status !== 0) return undefined;
  const { status, stdout, stderr } = ask(program, file);
  return status === 0 ? '' : `${stdout}${stderr}`;
}
