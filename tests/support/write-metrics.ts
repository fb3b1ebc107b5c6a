import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './metric-files.ts';

/** Writes what is made of the metrics: `npm run metrics`. */
const projectDir = join(import.meta.dirname, '../..');
for (const [file, text] of await generatedFiles()) {
  mkdirSync(dirname(join(projectDir, file)), { recursive: true });
  writeFileSync(join(projectDir, file), text);
}
