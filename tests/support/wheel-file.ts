import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import type { Download } from '../../src/core/system/download.ts';
import type { PinnedWheel } from '../../harness/tools/wheel.ts';

const programPath = 'some_tool-1.2.3.data/scripts/tool';
const content = Buffer.from('the program');

/** A pinned wheel for Linux on x64, and the file that an index would serve for it. */
export const someWheel: PinnedWheel = {
  packageName: 'some-tool',
  version: '1.2.3',
  builds: {
    'linux-x64': {
      platformTag: 'manylinux2014_x86_64',
      programPath,
      programSha256: createHash('sha256').update(content).digest('hex'),
    },
  },
};

export const wheelName = 'some_tool-1.2.3-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl';

export function wheelFile(program: Uint8Array = content): Uint8Array {
  const files = {
    'some_tool-1.2.3.dist-info/METADATA': Buffer.from('Name: some-tool'),
    [programPath]: program,
  };
  // The same bytes whenever it is made: an index states their digest.
  return zipSync(files, { mtime: new Date(2000, 0, 1) });
}

/** A download that finds these files by address, and notes every address asked for. */
export function downloadOf(files: Readonly<Record<string, string | Uint8Array>>): {
  readonly download: Download;
  readonly asked: readonly string[];
} {
  const asked: string[] = [];
  const download: Download = (url) => {
    asked.push(url);
    const found = files[url];
    if (found === undefined) return Promise.reject(new Error(`nothing at ${url}`));
    return Promise.resolve({ url, bytes: typeof found === 'string' ? Buffer.from(found) : found });
  };
  return { download, asked };
}
