interface AddressParts {
  readonly scheme?: 'https' | 'http' | undefined;
  readonly host: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query: string;
}

/** The address of an exchange, as a browser would ask for it. */
export function addressOf({ scheme = 'https', host, port = 443, path, query }: AddressParts): string {
  const isDefault = port === { https: 443, http: 80 }[scheme];
  return `${scheme}://${host}${isDefault ? '' : `:${port}`}${path}${query === '' ? '' : `?${query}`}`;
}

/** A text of addresses without the escapes of ASCII characters, for looking for something in it. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(/%[0-7][0-9a-f]/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
