interface Place {
  readonly scheme?: 'https' | 'http' | undefined;
  readonly host: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query: string;
}

/** The address of an exchange, as a browser would ask for it. */
export function addressOf({ scheme = 'https', host, port = 443, path, query }: Place): string {
  const isDefault = port === { https: 443, http: 80 }[scheme];
  return `${scheme}://${host}${isDefault ? '' : `:${port}`}${path}${query === '' ? '' : `?${query}`}`;
}
