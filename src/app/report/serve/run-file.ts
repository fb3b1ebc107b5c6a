import { existsSync, realpathSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

/** What the server hands out of a run directory; pages only those that h2h3 wrote there. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.xml': 'text/xml; charset=utf-8',
  '.har': 'application/json; charset=utf-8',
};

export interface RunFile {
  readonly path: string;
  readonly type: string;
}

function isOwnPage(name: string): boolean {
  return name === 'report.html' || /^report\/[^/]+\.html$/.test(name);
}

/** The file of a run directory behind an address below `/run/`; null for what is not there or not to be shown. */
export function runFile(runDir: string, address: string): RunFile | null {
  let name: string;
  try {
    name = decodeURIComponent(address);
  } catch {
    return null; // a broken escape names no file
  }
  const type = types[extname(name)];
  if (type === undefined || name.includes('\0') || (extname(name) === '.html' && !isOwnPage(name)))
    return null;
  const path = join(runDir, name);
  if (!existsSync(path) || !statSync(path).isFile()) return null;
  // Neither `..` nor a link may lead out of the run.
  return realpathSync(path).startsWith(realpathSync(runDir) + sep) ? { path, type } : null;
}
