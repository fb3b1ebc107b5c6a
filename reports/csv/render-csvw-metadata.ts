/** What a column holds and what it means. */
interface Column {
  readonly type: string;
  readonly meaning: string;
}

const datatypes: Readonly<Record<string, string>> = {
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  text: 'string',
};

const tableRow = /^\| (`.+`) +\| ([a-z, ]*?) *\| (.+?) *\|$/gm;

/**
 * The columns that `COLUMNS.md` explains, by name. A row may explain several, the ends of a name written `…_low`; of several
 * types each belongs to the column at its place.
 */
function explainedColumns(page: string): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  for (const [, names = '', types = '', meaning = ''] of page.matchAll(tableRow)) {
    const [first = '', ...others] = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const each = types.split(', ');
    for (const [index, name] of [first, ...others].entries()) {
      const whole = name.replace('…', first);
      // The first table explains what the others only name again.
      if (!columns.has(whole)) columns.set(whole, { type: each[index] ?? each[0] ?? '', meaning });
    }
  }
  return columns;
}

/**
 * Columns of a table as CSV on the Web (https://www.w3.org/TR/tabular-metadata/), for a file next to it of the name
 * `NAME.csv-metadata.json`. A column that is not explained is text.
 *
 * @param names of the columns, in their order
 * @param page text of `COLUMNS.md`
 */
export function renderCsvwMetadata(fileName: string, names: readonly string[], page: string): string {
  const explained = explainedColumns(page);
  const columns = names.map((name) => {
    const { type = 'text', meaning } = explained.get(name) ?? {};
    return {
      name,
      titles: name,
      ...(meaning === undefined ? {} : { 'dc:description': meaning.replaceAll('`', '') }),
      datatype: datatypes[type] ?? 'string',
      null: [''],
    };
  });
  const metadata = {
    '@context': 'http://www.w3.org/ns/csvw',
    url: fileName,
    tableSchema: { columns },
  };
  return `${JSON.stringify(metadata, null, 1)}\n`;
}
