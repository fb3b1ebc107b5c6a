import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { questionsPageText } from '../../src/app/findings/questions.ts';
import { factorList } from './factor-document.ts';
import { changingNetworkList } from './network-document.ts';
import { metricDocument } from './metric-document.ts';
import { senderList } from './sender-document.ts';
import { projectDir } from './source-graph.ts';
import { studyDocument } from './study-document.ts';
import { studyPictures } from './study-pictures.ts';

/** Between these lines of a document stands what is made of a registry. */
const opening = '<!-- made by `npm run docs` -->';
const closing = '<!-- end of what is made -->';

/** The document with its list made anew. */
function withList(file: string, list: string): string {
  const text = readFileSync(join(projectDir, file), 'utf8');
  const [head, , tail] = text.split(new RegExp(`${opening}|${closing}`));
  if (head === undefined || tail === undefined) throw new Error(`${file} has no place for its list`);
  return `${head}${opening}\n\n${list}\n\n${closing}${tail}`;
}

/** What is made of registries for people to read: each path below the project, and the text. */
export async function generatedDocs(): Promise<readonly (readonly [file: string, text: string])[]> {
  const texts: Readonly<Record<string, string>> = {
    'docs/metrics.md': metricDocument(),
    'docs/factors.md': withList('docs/factors.md', factorList()),
    'docs/networks.md': withList('docs/networks.md', changingNetworkList()),
    'docs/senders.md': withList('docs/senders.md', senderList()),
    'docs/studies.md': withList('docs/studies.md', await studyDocument()),
    'docs/questions.md': questionsPageText(),
  };
  const formatted = await Promise.all(
    Object.entries(texts).map(async ([file, text]) => {
      const filepath = join(projectDir, file);
      const options = await resolveConfig(filepath);
      return [file, await format(text, { ...options, filepath })] as const;
    }),
  );
  return [...formatted, ...studyPictures()];
}
