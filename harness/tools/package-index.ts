import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { SetupContext } from './setup-context.ts';

/** Where pip looks by default: machines without Python have no pip that could be asked. */
export const defaultIndex = 'https://pypi.org/simple/';

/** The "simple" interface of package indices as JSON, else as HTML (https://packaging.python.org/en/latest/specifications/simple-repository-api/). */
const simpleTypes =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

/** A file that a package index offers. */
export interface IndexedFile {
  readonly name: string;
  readonly url: string;
  /** In hex, where the index says it. */
  readonly sha256?: string;
}

/** The Python package index that pip would ask here: its variable, its configuration files, else the public one. */
export async function packageIndexOf({ environment, homeDir, platform }: SetupContext): Promise<string> {
  const ofUser =
    platform === 'darwin'
      ? path.join(homeDir, 'Library', 'Application Support', 'pip', 'pip.conf')
      : path.join(environment['XDG_CONFIG_HOME'] || path.join(homeDir, '.config'), 'pip', 'pip.conf');
  const files = [
    environment['PIP_CONFIG_FILE'],
    ofUser,
    path.join(homeDir, '.pip', 'pip.conf'),
    '/etc/pip.conf',
  ];
  let index = environment['PIP_INDEX_URL'];
  for (const file of files)
    if (file !== undefined) index ??= indexIn(await readFile(file, 'utf8').catch(() => ''));
  return (index ?? defaultIndex).replace(/\/*$/, '/');
}

function indexIn(pipConfig: string): string | undefined {
  return /^\s*index[-_]url\s*[=:]\s*(\S+)/m.exec(pipConfig)?.[1];
}

/** Every file of a package. @throws H2h3Error `unsupported` when the index cannot be read. */
export async function listIndexedFiles(packageName: string, context: SetupContext): Promise<IndexedFile[]> {
  const index = new URL(await packageIndexOf(context));
  const page = await context.download(new URL(`${packageName}/`, index).href, {
    signal: context.signal,
    accept: simpleTypes,
  });
  const text = new TextDecoder().decode(page.bytes);
  const files = text.trimStart().startsWith('{') ? filesOfJson(text) : filesOfHtml(text);
  return files
    .filter(({ url }) => URL.canParse(url, page.url))
    .map((file) => ({ ...file, url: withCredentialsOf(index, new URL(file.url, page.url)).href }));
}

const filesSchema = z.object({
  files: z.array(
    z.object({ filename: z.string(), url: z.string(), hashes: z.record(z.string(), z.string()).optional() }),
  ),
});

const withDigest = (file: IndexedFile, sha256: string | undefined): IndexedFile =>
  sha256 === undefined ? file : { ...file, sha256 };

function filesOfJson(text: string): IndexedFile[] {
  try {
    const { files } = filesSchema.parse(JSON.parse(text));
    return files.map(({ filename, url, hashes }) => withDigest({ name: filename, url }, hashes?.['sha256']));
  } catch (cause) {
    throw new H2h3Error('unsupported', 'The package index answers what is no list of files', { cause });
  }
}

function filesOfHtml(text: string): IndexedFile[] {
  return [...text.matchAll(/<a\s[^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/gi)].map(([, url = '', name = '']) =>
    withDigest(
      { name: name.trim(), url: url.replaceAll('&amp;', '&') },
      /#sha256=([0-9a-f]{64})/.exec(url)?.[1],
    ),
  );
}

/** As pip does: credentials of the index go to its own host and nowhere else. */
function withCredentialsOf(index: URL, file: URL): URL {
  if (file.origin !== index.origin || file.username !== '') return file;
  file.username = index.username;
  file.password = index.password;
  return file;
}
