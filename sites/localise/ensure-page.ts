import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeWhole } from '../make-whole.ts';
import { shortHash } from './write-roots.ts';

/** A folder below `parent` with these files, by their names; it is there whole or not at all, and is made once. */
export async function ensurePage(parent: string, files: Readonly<Record<string, string>>): Promise<string> {
  const directory = join(parent, `page-${shortHash(files)}`);
  if (existsSync(directory)) return directory;
  await makeWhole(directory, async (scratch) => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(scratch, name), content);
    return scratch;
  });
  return directory;
}

/** The page of a workload whose script does all the work. @param script its address, as the page names it */
export function scriptPage(title: string, script: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>${title}</title>
<script type="module" src="${script}"></script>
</head>
<body><p>${title} under way.</p></body>
</html>
`;
}
