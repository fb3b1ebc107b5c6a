import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { storageError } from '../core/system/storage-error.ts';
import { writeWhole } from '../core/system/write-whole.ts';
import type { AppContext } from './app-context.ts';

/**
 * Writes a completion to where its shell looks, and says where. zsh has no such folder of the user's own, so its script is
 * named in `.zshrc`, once.
 *
 * @throws H2h3Error `storage`
 */
export function installCompletion(
  shell: string,
  script: string,
  environment: AppContext['environment'],
): string {
  const home = environment['HOME'] ?? homedir();
  const data = environment['XDG_DATA_HOME'] ?? join(home, '.local', 'share');
  const settingsDir = environment['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const places: Readonly<Record<string, string>> = {
    bash: join(data, 'bash-completion', 'completions', 'h2h3'),
    zsh: join(data, 'h2h3', 'completion.zsh'),
    fish: join(settingsDir, 'fish', 'completions', 'h2h3.fish'),
  };
  const file = places[shell] ?? '';
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (thrown) {
    throw storageError(thrown, dirname(file));
  }
  writeWhole(file, script);
  if (shell === 'zsh') nameInZshrc(join(home, '.zshrc'), `source "${file}"`);
  return `written: ${file}. New shells complete h2h3.`;
}

function nameInZshrc(file: string, line: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text.split('\n').includes(line)) return;
  writeWhole(file, `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${line}\n`);
}
