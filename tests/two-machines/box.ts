/**
 * `npm run box -- run web --server-host farbox --network cable`: a command of h2h3 next to a second machine in a box, which `ssh` knows
 * as `farbox` meanwhile. Such as `npm run box -- bench-harness --only machines --server-host farbox --client embedded`. Takes root.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '../support/cli.ts';
import { boxLack, startBox } from '../support/machine-in-a-box.ts';

const lack = boxLack();
if (lack !== null) throw new Error(lack);
const folder = mkdtempSync(join(tmpdir(), 'h2h3-box-'));
try {
  const box = await startBox(folder);
  try {
    const words = [join(projectDir, 'src/cli/launcher.js'), ...process.argv.slice(2)];
    const command = spawn(process.execPath, words, {
      stdio: 'inherit',
      env: { ...process.env, ...box.environment },
    });
    // Ctrl-C reaches the command by itself, and the box ends after it.
    process.on('SIGINT', () => undefined);
    const [code] = (await once(command, 'exit')) as [number | null];
    process.exitCode = code ?? 1;
  } finally {
    await box.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
