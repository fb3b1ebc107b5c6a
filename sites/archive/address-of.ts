interface AddressParts {
  readonly scheme?: 'https' | 'http' | undefined;
  readonly host: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query: string;
  /** That the address ends with a question mark and no query. */
  readonly bareQuery?: true | undefined;
}

/** What of an address stands behind its path: a question mark and the query. */
export function searchOf({ query, bareQuery }: Pick<AddressParts, 'query' | 'bareQuery'>): string {
  if (query !== '') return `?${query}`;
  return bareQuery === true ? '?' : '';
}

/** The query of an address as an archive has it; an address drops that of a bare question mark. */
export function queryOf(url: URL): Pick<AddressParts, 'query'> & { readonly bareQuery?: true } {
  const isBare = url.search === '' && url.href.slice(0, url.href.length - url.hash.length).endsWith('?');
  return { query: url.search.slice(1), ...(isBare ? { bareQuery: true } : {}) };
}

/** The address of an exchange, as a browser would ask for it. */
export function addressOf({ scheme = 'https', host, port = 443, path, ...search }: AddressParts): string {
  const isDefault = port === { https: 443, http: 80 }[scheme];
  return `${scheme}://${host}${isDefault ? '' : `:${port}`}${path}${searchOf(search)}`;
}

/** A text of addresses without the escapes of ASCII characters, for looking for something in it. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(/%[0-7][0-9a-f]/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
