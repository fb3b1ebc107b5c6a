/** Where Chromium by itself looks for updates, extensions, accounts and forms, whatever its switches. */
const services: readonly string[] = [
  'accounts.google.com',
  'update.googleapis.com',
  'clients2.google.com',
  'clients2.googleusercontent.com',
  'redirector.gvt1.com',
  'connectivitycheck.gstatic.com',
  // What the fields of a form are for.
  'content-autofill.googleapis.com',
  'optimizationguide-pa.googleapis.com',
];

/**
 * Whether only the browser can have asked for an address that could not be reached: it is one of its services, and
 * no page asked that host for anything. The proxy sees of such a request its host alone.
 */
export function isOfBrowserAlone(address: string, askedByPages: ReadonlySet<string>): boolean {
  const host = hostOf(address);
  return services.includes(host) && ![...askedByPages].some((asked) => hostOf(asked) === host);
}

/** Of `data:` and `blob:` addresses, and of what a page made up that is no address, it is empty. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}
