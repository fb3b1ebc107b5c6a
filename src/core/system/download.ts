import { readFile } from 'node:fs/promises';
import http from 'node:http';
import tls from 'node:tls';
import { H2h3Error, messageOf } from '../model/errors.ts';

/** A file from the network. */
export interface Downloaded {
  readonly bytes: Uint8Array;
  /** Where it came from in the end, after redirects. */
  readonly url: string;
}

export interface DownloadOptions {
  readonly signal: AbortSignal;
  /** Media types that are understood, as the header `accept`; any when left out. */
  readonly accept?: string;
}

/** Fetches a whole file; passed in, so that tests need no network. */
export type Download = (url: string, options: DownloadOptions) => Promise<Downloaded>;

/** Names under which package managers are told of a file of additional certificate authorities. */
const authorityVariables = ['npm_config_cafile', 'PIP_CERT', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'] as const;

class RefusedDownload extends Error {
  readonly httpStatus: number;

  constructor(httpStatus: number) {
    super(`HTTP status ${httpStatus}`);
    this.httpStatus = httpStatus;
  }
}

/**
 * Fetches a whole file the way this machine's package managers do: by the proxy of the environment, and trusting the
 * authorities of the system and those that npm and pip were told of. A name and password in the address are sent as
 * such (`fetch` refuses them there).
 *
 * @throws H2h3Error `unsupported` when it cannot be had; the context has the `httpStatus` where a server answered with one that is no success.
 */
export const download: Download = async (url, { signal, accept }) => {
  const address = new URL(url);
  const headers = new Headers(accept === undefined ? {} : { accept });
  if (address.username !== '') headers.set('authorization', basicCredentials(address));
  address.username = address.password = '';
  await trustMachineAuthorities();
  const restoreProxy = http.setGlobalProxyFromEnv(proxyEnvironment());
  try {
    const response = await fetch(address, { signal, headers });
    if (!response.ok) throw new RefusedDownload(response.status);
    return { bytes: await response.bytes(), url: response.url };
  } catch (cause) {
    if (signal.aborted)
      throw new H2h3Error('interrupted', `Downloading ${address.href} was interrupted`, { cause });
    const refused = cause instanceof RefusedDownload ? { httpStatus: cause.httpStatus } : {};
    throw new H2h3Error('unsupported', `Cannot download ${address.href}: ${causeChain(cause)}`, {
      cause,
      context: refused,
    });
  } finally {
    restoreProxy();
  }
};

function basicCredentials({ username, password }: URL): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

function proxyEnvironment(): NodeJS.ProcessEnv {
  const { npm_config_https_proxy: ofNpm, ...environment } = process.env;
  return ofNpm === undefined ? environment : { https_proxy: ofNpm, ...environment };
}

let authorities: Promise<void> | undefined;

function trustMachineAuthorities(): Promise<void> {
  authorities ??= addMachineAuthorities();
  return authorities;
}

async function addMachineAuthorities(): Promise<void> {
  const named = authorityVariables.map((name) => process.env[name]).filter((file) => file !== undefined);
  const files = await Promise.all(named.map((file) => readFile(file, 'utf8').catch(() => '')));
  const certificates = files.flatMap(
    (text) => text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [],
  );
  const known = [...tls.getCACertificates('default'), ...tls.getCACertificates('system')];
  tls.setDefaultCACertificates([...new Set([...known, ...certificates])]);
}

/** `fetch failed` alone says nothing; its cause does. */
function causeChain(thrown: unknown): string {
  const inner = thrown instanceof Error && thrown.cause !== undefined ? ` (${messageOf(thrown.cause)})` : '';
  return messageOf(thrown) + inner;
}
