import type { PageMeasure, PageSource } from './page-source.ts';

/** What a new page's file can say before anybody has adapted it. */
export type PageDraft = Pick<PageSource, 'id' | 'title' | 'own' | 'mounts' | 'entry' | 'askedByScripts'>;

const idRule = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Whether a page can have this id: its file, its variable and its host are named by it. */
export function isPageId(id: string): boolean {
  return idRule.test(id);
}

/** The id that a page of a package gets: the package's name, and the page's own where it is no index. */
export function pageIdOf(packageName: string, entry: string): string {
  const page = entry.replace(/^.*\//, '').replace(/\.\w+$/, '');
  const text = page === 'index' ? packageName : `${packageName}-${page}`;
  const words = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return words.replaceAll(/^[-0-9]+|-+$/g, '') || 'page';
}

/** Text of the file that holds the page (`sites/pages/ID.ts`), formatted as the project formats its files. */
export function pageEntryText(draft: PageDraft, measured: PageMeasure): string {
  const mount = draft.mounts[draft.own];
  if (mount === undefined) throw new RangeError(`page ${draft.id} has no mount ${draft.own}`);
  const { name, version, integrity, licence } = mount.package;
  return `import type { PageSource } from './page-source.ts';

/** ${draft.title.replaceAll('*/', '* /')}: a page of ${name}. */
export const ${variableOf(draft.id)}: PageSource = {
  id: ${sourceText(draft.id)},
  title: ${sourceText(draft.title)},
  own: ${sourceText(draft.own)},
  mounts: {
    ${draft.own}: {
      package: {
        name: ${sourceText(name)},
        version: ${sourceText(version)},
        integrity:
          ${sourceText(integrity)},
        licence: ${sourceText(licence)},
      },
      directory: ${sourceText(mount.directory)},
    },
  },
  entry: ${sourceText(draft.entry)},
${askedText(draft.askedByScripts)}  ${measuredText(measured)}
};
`;
}

/** The catalogue's text with one more page. */
export function withPageInCatalogue(catalogue: string, id: string): string {
  const variable = variableOf(id);
  const lines = catalogue.split('\n');
  const imported = `import { ${variable} } from './${id}.ts';`;
  // Sorted as the other imports are, by their file.
  const pathOf = (line: string): string => /from '(.*)'/.exec(line)?.[1] ?? '';
  const after = lines.findLastIndex(
    (line) => line.startsWith('import ') && pathOf(line).localeCompare(`./${id}.ts`) < 0,
  );
  lines.splice(after + 1, 0, imported);
  const end = lines.lastIndexOf('];');
  lines.splice(end, 0, `  ${variable},`);
  return lines.join('\n');
}

/** The text of a page's file with other figures; undefined where it has none that can be found. */
export function withMeasure(text: string, measured: PageMeasure): string | undefined {
  const stated = /measured: \{[^{}]*\{[^{}]*\}[^{}]*\},/;
  return stated.test(text) ? text.replace(stated, measuredText(measured)) : undefined;
}

function variableOf(id: string): string {
  return id.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** As the project's formatter writes texts: in the quotes that need the least escaping. */
function sourceText(text: string): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('\n', ' ');
  const singles = plain.split("'").length;
  const quote = singles > plain.split('"').length ? '"' : "'";
  return quote + plain.replaceAll(quote, `\\${quote}`) + quote;
}

/** Longer lines are broken by the project's formatter. */
const lineCharacters = 110;

function askedText(paths: readonly string[] = []): string {
  if (paths.length === 0) return '';
  const line = `  askedByScripts: [${paths.map(sourceText).join(', ')}],\n`;
  if (line.length <= lineCharacters) return line;
  return `  askedByScripts: [\n${paths.map((path) => `    ${sourceText(path)},\n`).join('')}  ],\n`;
}

function measuredText({ objects, hosts, wireBytes, types }: PageMeasure): string {
  const counts = Object.entries(types).map(([type, count]) => `${type}: ${count}`);
  return `measured: {
    objects: ${objects},
    hosts: ${hosts},
    wireBytes: ${grouped(wireBytes)},
    types: { ${counts.join(', ')} },
  },`;
}

function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, '_');
}
