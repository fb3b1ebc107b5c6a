import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import type { SetupContext } from './setup-context.ts';

/** Where pip looks when nobody told it otherwise: machines without Python have no pip that could be asked. */
export const defaultIndex = 'https://pypi.org/simple/';

/** The "simple" interface of package indices as JSON, else as HTML (https://packaging.python.org/en/latest/specifications/simple-repository-api/). */
const simpleTypes =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

/** A file that a package index offers. */
export interface IndexedFile {
  readonly name: string;
  readonly url: string;
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

function indexIn(configuration: string): string | undefined {
  return /^\s*index[-_]url\s*[=:]\s*(\S+)/m.exec(configuration)?.[1];
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
  return files.map(({ name, url }) => ({ name, url: withCredentialsOf(index, new URL(url, page.url)).href }));
}

function filesOfJson(text: string): IndexedFile[] {
  try {
    const { files } = JSON.parse(text) as { files: { filename: string; url: string }[] };
    return files.map(({ filename, url }) => ({ name: filename, url }));
  } catch (cause) {
    throw new H2h3Error('unsupported', 'The package index answers what is no list of files', { cause });
  }
}

function filesOfHtml(text: string): IndexedFile[] {
  return [...text.matchAll(/<a\s[^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/gi)].map(([, url = '', name = '']) => ({
    name: name.trim(),
    url: url.replaceAll('&amp;', '&'),
  }));
}

/** As pip does: credentials of the index go to its own host and nowhere else. */
function withCredentialsOf(index: URL, file: URL): URL {
  if (file.origin !== index.origin || file.username !== '') return file;
  file.username = index.username;
  file.password = index.password;
  return file;
}
