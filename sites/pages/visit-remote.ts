import { X509Certificate, createHash } from 'node:crypto';
import https from 'node:https';
import { isIP } from 'node:net';
import tls, { type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { H2h3Error, hasErrno, messageOf } from '../../src/core/model/errors.ts';
import type { LiveAccess, StateCookie } from '../../src/core/model/live-access.ts';
import { readInput } from '../../src/core/system/read-input.ts';
import { connectTarget, type LiveOptions, type Remote } from '../../src/core/model/live-address.ts';
import { wireAddressOf } from '../../src/core/model/wire-address.ts';
import { proxyVariable } from '../../src/core/system/processes/trial-environment.ts';

const timeoutMs = 15_000;

/** What an address showed, and the key that a browser must be told to accept where it would not by itself. */
export interface VisitedRemote {
  readonly remote: Remote;
  readonly acceptedKeys: readonly string[];
}

/**
 * Asks a live address once, over TCP, before anything is measured: so that what is wrong with it is said in one
 * sentence, and the report can name who answered.
 *
 * @throws H2h3Error `unsupported` when nothing answers, `bad-input` for a certificate that is not trusted and for what speaks no TLS
 */
export async function visitRemote(
  url: URL,
  options: LiveOptions,
  signal: AbortSignal,
  access?: LiveAccess,
): Promise<VisitedRemote> {
  const ca = trustedAuthorities(options.ca);
  const asked = await ask({ url, options, ca, signal, sent: requestHeaders(url, access) });
  const { address, peer, refused, headers } = asked;
  // A browser knows nothing of --ca, so that the key is named to it.
  const distrusted = refused ?? (ca === undefined ? null : 'trusted because of --ca');
  if (refused !== null && options.insecure !== true) throw notTrusted(url, refused, peer, options.ca);
  if (asked.status === 401 && options.login === undefined) throw notLetIn(url, access);
  return {
    remote: {
      url: url.href,
      address,
      server: headerOf(headers['server']),
      altSvc: headerOf(headers['alt-svc']),
      certificate: {
        subject: nameOf(peer.subject),
        issuer: nameOf(peer.issuer),
        validTo: new Date(peer.valid_to).toISOString(),
        sha256: peer.fingerprint256,
        distrusted,
      },
    },
    acceptedKeys: distrusted === null ? [] : [keyHash(peer)],
  };
}

/** Why a certificate is refused, by the code of Node, and what mends just that. */
function notTrusted(
  { host }: URL,
  code: string,
  { subjectaltname, valid_from: begins, valid_to: ends }: DetailedPeerCertificate,
  ca: string | undefined,
): H2h3Error {
  const refuse = (message: string, next: string): H2h3Error =>
    new H2h3Error('bad-input', `${host} shows a certificate ${message}`, { next });
  const asItIs = 'accept it as it is with --insecure';
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID': {
      const names = (subjectaltname ?? '').replaceAll(/(?:DNS|IP Address):/g, '');
      return refuse(
        names === '' ? 'that names no host' : `for other names: ${names}`,
        `Name the host as the certificate does (--connect-to leads that name to the server), or ${asItIs}.`,
      );
    }
    case 'CERT_HAS_EXPIRED':
      return refuse(`that ended on ${ends}`, `Renew it, or ${asItIs}.`);
    case 'CERT_NOT_YET_VALID':
      return refuse(`that begins on ${begins}`, `Look at the clock of this machine, or ${asItIs}.`);
    default:
      return refuse(
        `that is not trusted: ${code}`,
        ca === undefined
          ? `Give the authority that signed it with --ca FILE, or ${asItIs}.`
          : `Give the authority that signed it: --ca ${ca} holds another.`,
      );
  }
}

/** What listens on a port that speaks something else than TLS: OpenSSL finds no record of TLS in its answer. */
const notTls = /wrong version number|packet length too long|http request|unexpected record/i;

function notReached({ host }: URL, thrown: Error): H2h3Error {
  const cause = causeOf(thrown);
  const proxy = proxyVariable();
  return hasErrno(thrown, 'EPROTO') && notTls.test(cause)
    ? new H2h3Error('bad-input', `${host} does not answer with TLS`, {
        next: 'Give the port of https: browsers speak HTTP/2 and HTTP/3 over TLS only.',
        cause: thrown,
      })
    : new H2h3Error('unsupported', `${host} cannot be reached: ${cause}`, {
        next:
          proxy === undefined
            ? 'Check the address and the connection; --connect-to leads a name to another place.'
            : `${proxy} names a proxy. Trials use none, because HTTP/3 cannot go through it: measure where this machine reaches the address by itself.`,
        cause: thrown,
      });
}

function requestHeaders({ host, hostname, pathname }: URL, access?: LiveAccess): Record<string, string> {
  const isOf = ({ domain, path }: StateCookie): boolean =>
    pathname.startsWith(path) && (domain === hostname || `.${hostname}`.endsWith(domain));
  const cookies = [...(access?.state.cookies.filter(isOf) ?? []), ...(access?.cookies ?? [])];
  return {
    host,
    'user-agent': 'h2h3',
    ...(cookies.length === 0
      ? {}
      : { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }),
    ...Object.fromEntries((access?.headers ?? []).map(({ name, value }) => [name, value])),
  };
}

function notLetIn({ host }: URL, access: LiveAccess | undefined): H2h3Error {
  const message = `${host} requires a log-in (status 401)`;
  return access === undefined
    ? new H2h3Error('bad-input', message, {
        next: 'Give --basic-auth, --header, --cookie or --storage-state.',
      })
    : new H2h3Error('bad-input', `${message}, and does not take what was given`, {
        next: 'Look at what --basic-auth, --header, --cookie and --storage-state refer to.',
      });
}

/** The public authorities and those of a file in PEM; undefined without a file. @throws H2h3Error `bad-input` for one that cannot be read, `usage` for one that holds none */
export function trustedAuthorities(file: string | undefined): string[] | undefined {
  if (file === undefined) return undefined;
  const next =
    'Name the certificate of the authority that signed the server’s, in PEM (`openssl x509 -inform der -in FILE` makes it of DER).';
  const text = readInput(file, { what: 'the authority of --ca', next }).toString('utf8');
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new H2h3Error('usage', `--ca ${file} cannot be used: it holds no certificate in PEM`, { next });
  return [...tls.getCACertificates('default'), text];
}

interface Answer {
  readonly address: string;
  readonly peer: DetailedPeerCertificate;
  /** Why the certificate is not trusted; null when it is. */
  readonly refused: string | null;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly status: number | undefined;
}

interface Question {
  readonly url: URL;
  readonly options: LiveOptions;
  readonly ca: string[] | undefined;
  readonly signal: AbortSignal;
  /** Headers of the request. */
  readonly sent: Readonly<Record<string, string>>;
}

function ask({ url, options, ca, signal, sent }: Question): Promise<Answer> {
  const { host, port } = connectTarget(url, options.connectTo ?? []);
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => reject(notReached(url, cause));
    const request = https.request(
      {
        host,
        port,
        signal,
        timeout: timeoutMs,
        method: 'HEAD',
        path: wireAddressOf(url).path,
        // An address has no place in TLS's name of the server (RFC 6066, 3).
        servername: isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? url.hostname : '',
        headers: sent,
        // Whether it is trusted is told by the socket, with the reason.
        rejectUnauthorized: false,
        agent: false,
        ...(ca === undefined ? {} : { ca }),
      },
      (response) => {
        response.resume();
        // Read at once: a socket that has ended knows no peer any more.
        const socket = response.socket as TLSSocket;
        resolve({
          address: `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`,
          peer: socket.getPeerCertificate(true),
          refused: untrusted(socket),
          headers: response.headers,
          status: response.statusCode,
        });
      },
    );
    request.once('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    request.once('error', fail);
    request.end();
  });
}

/** Node joins one error for each address of a name. */
function causeOf(thrown: Error): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return messageOf(thrown.errors[0]);
  return thrown.message;
}

function untrusted(socket: TLSSocket): string | null {
  return socket.authorized ? null : String(socket.authorizationError);
}

const headerOf = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : [value].flat().join(', ');

function nameOf(name: DetailedPeerCertificate['subject']): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${[value].flat().join('+')}`)
    .join(', ');
}

function keyHash({ raw }: DetailedPeerCertificate): string {
  const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
