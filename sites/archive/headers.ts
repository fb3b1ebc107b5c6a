export type Header = readonly [name: string, value: string];

/** The first value of a header; undefined where there is none. @param wanted its name in lower case */
export function headerOf(headers: readonly Header[], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Whether an answer redirects its browser, which may drop what is left of it without anything having failed. */
export function leadsOn({ status, headers }: { status: number; headers: readonly Header[] }): boolean {
  return status >= 300 && status < 400 && (headerOf(headers, 'location') ?? '') !== '';
}

/** The cookies that answers set. */
export function setCookiesOf(answers: readonly { readonly headers: readonly Header[] }[]): string[] {
  return answers.flatMap(({ headers }) =>
    headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value),
  );
}
