import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import { filesBelow } from '../../src/core/system/files-below.ts';
import { digestOf } from '../../src/core/system/package-archive.ts';
import { partBytes } from './far-files.ts';
import type { FarHost } from './far-host.ts';
import type { FarRoot } from './far-protocol.ts';
import { sentPathOf } from './program-files.ts';

/** What a run serves, by content: each folder is looked at once, and each file sent once. */
export class SentContent {
  readonly #folders = new Map<string, Promise<FarRoot['files']>>();

  /** Has all files of the roots over there. @throws H2h3Error `unsupported` for a host that a program answers which stays here */
  async send(roots: readonly SiteRoot[], host: FarHost): Promise<FarRoot[]> {
    const sent: FarRoot[] = [];
    const places = new Map<string, string>();
    for (const root of roots) {
      const { host: name, directory, workload, messages } = root;
      const origin = farOrigin(root);
      // An app has no files of its own.
      const files = directory === '' ? [] : await this.#filesOf(root);
      for (const { path, digest } of files) places.set(digest, join(directory, path));
      sent.push({
        host: name,
        files,
        ...(workload === undefined ? {} : { workload }),
        ...(messages === undefined ? {} : { messages }),
        ...(origin === undefined ? {} : { origin }),
      });
    }
    const { answered } = await host.ask('missing', { digests: [...places.keys()] });
    for (const digest of answered.digests) await put(digest, places.get(digest), host);
    return sent;
  }

  #filesOf({ directory, needs }: SiteRoot): Promise<FarRoot['files']> {
    const key = JSON.stringify([directory, needs]);
    const known = this.#folders.get(key) ?? listed(directory, needs);
    this.#folders.set(key, known);
    return known;
  }
}

/** The program that answers for a host, as the other machine starts it. @throws H2h3Error `unsupported` */
export function farOrigin({ host, directory, origin }: SiteRoot): FarRoot['origin'] {
  if (origin === undefined) return undefined;
  const { command, kind = 'archive' } = origin;
  const [program, file = '', ...words] = command;
  const path = program === process.execPath ? sentPathOf(file) : undefined;
  if (path === undefined || kind === 'relay')
    throw new H2h3Error('unsupported', `${host} is answered by a program, which runs on this machine alone`);
  return { kind, program: path, words: words.map((text) => (text === directory ? null : text)) };
}

async function listed(directory: string, needs: readonly string[] = ['']): Promise<FarRoot['files']> {
  const files: FarRoot['files'] = [];
  for (const path of needs.flatMap((name) => pathsOf(directory, name)).toSorted())
    files.push({ path, digest: await digestOf(join(directory, path), 'sha256', 'hex') });
  return files;
}

/** Of a file or of all that is below a folder, from the directory on. */
function pathsOf(directory: string, name: string): string[] {
  const place = join(directory, name);
  const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? [name] : filesBelow(place).map((path) => join(name, path));
}

async function put(digest: string, file: string | undefined, host: FarHost): Promise<void> {
  if (file === undefined)
    throw new H2h3Error('process-failed', `${host.host} wants a file that was not named`);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    for (let sentBytes = 0, isLast = false; !isLast;) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(partBytes), 0, partBytes, sentBytes);
      sentBytes += bytesRead;
      isLast = sentBytes >= size || bytesRead === 0;
      await host.ask('put', { digest, base64: buffer.toString('base64', 0, bytesRead), isLast });
    }
  } finally {
    await handle.close();
  }
}
