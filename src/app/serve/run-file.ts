import { closeSync, fstatSync, realpathSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { openRegularFile } from '../../core/system/read-input.ts';

/** What the server hands out of a run directory. XML is text, because as a document it could have scripts. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.xml': 'text/plain; charset=utf-8',
  '.har': 'application/json; charset=utf-8',
};

/** A file of a run, opened: it stays what it was when it was looked at. Whoever has it closes it. */
export interface RunFile {
  readonly descriptor: number;
  readonly type: string;
}

function isOwnPage(name: string): boolean {
  return name === 'report.html' || /^report\/[^/]+\.html$/.test(name);
}

/** The file of a run directory behind an address below `/run/`; null for what is not there or not to be shown. */
export function openRunFile(runDir: string, address: string): RunFile | null {
  let name: string;
  try {
    name = decodeURIComponent(address);
  } catch {
    return null; // a broken escape names no file
  }
  const type = types[extname(name)];
  if (type === undefined || name.includes('\0') || (extname(name) === '.html' && !isOwnPage(name)))
    return null;
  const descriptor = openInside(runDir, name);
  return descriptor === null ? null : { descriptor, type };
}

/** Null for what is no file of the folder: neither `..` nor a link may lead out of the run. */
function openInside(runDir: string, name: string): number | null {
  const path = join(runDir, name);
  let descriptor: number | null = null;
  try {
    descriptor = openRegularFile(path);
    if (descriptor === null) return null;
    const place = realpathSync(path);
    const opened = fstatSync(descriptor);
    const there = statSync(place);
    const isInside = place.startsWith(realpathSync(runDir) + sep);
    if (isInside && opened.ino === there.ino && opened.dev === there.dev) return descriptor;
  } catch {
    // It has gone between two looks, or may not be read: there is no such file for the reader.
  }
  if (descriptor !== null) closeSync(descriptor);
  return null;
}
