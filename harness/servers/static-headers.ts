/** A page's objects may be reused within its load, and by a second visit, as on real sites. */
export const cacheControl = 'public, max-age=3600';
/** Documents are asked for again at each visit (and answered by 304), as most sites have it. */
export const documentCacheControl = 'no-cache';

/** Of files with `unkeptEnding`. */
export const unkeptCacheControl = 'no-store';

/** What every server says of where else it can be reached. */
export const altSvc = (port: number): string => `h3=":${port}"; ma=2592000`;

/** Under this name an origin hands over the `Via` of its answer: some servers add their own to that header. */
export const handedVia = 'X-H2h3-Via';

/** With this status, of no other meaning, and this header an origin asks for the exchange to be broken off, as the server that it stands for did. */
export const handedAbort = 'X-H2h3-Abort';
export const abortStatus = 599;
