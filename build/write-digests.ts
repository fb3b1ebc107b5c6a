/** `npm run digests`: pins the programs in C that packages bring, after their source changed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileStaticPrograms, pinnedDigestsFile } from './static-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'h2h3-digests-'));
try {
  writeFileSync(pinnedDigestsFile, await compileStaticPrograms(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
