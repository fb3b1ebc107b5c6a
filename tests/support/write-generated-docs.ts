import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedDocs } from './generated-docs.ts';
import { projectDir } from './source-graph.ts';

/** Writes the documents that are made of registries: `npm run docs`. */
for (const [file, text] of await generatedDocs()) writeFileSync(join(projectDir, file), text);
