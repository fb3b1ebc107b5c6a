import { X509Certificate, createHash, createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import type { KeyObject, webcrypto } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import * as x509 from '@peculiar/x509';
import { H2h3Error, hasErrno } from '../../src/model/errors.ts';
import type { ToolCache } from '../../src/system/tool-cache.ts';

const dayMs = 24 * 60 * 60_000;
/** Browsers refuse leaves valid for longer than 398 days; a quarter is far below that and outlives any run. */
const validityDays = 90;
/** A leaf that would end during a long run is made anew. */
const renewalDays = 7;
/** Clocks of a container and its host may differ: valid from a day ago. */
const backdateDays = 1;

const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/**
 * A subject of its own for each host. Self-signed leaves that share one look like each other's issuers, and Firefox
 * tries every one it has seen for each new connection: its CPU time then grows with the square of a page's hosts.
 * The host itself stands in the alternative name only, for a common name holds 64 letters at most.
 */
function leafName(host: string): x509.Name {
  return new x509.Name(`CN=h2h3 ${createHash('sha256').update(host).digest('hex').slice(0, 32)}`);
}

/** One key pair for all hosts (so one SPKI hash); a leaf certificate per host, so that no connection is shared between hosts. */
export interface CertificateStore {
  /** Base64 of the SHA-256 of the SubjectPublicKeyInfo, for Chromium's `--ignore-certificate-errors-spki-list`. */
  readonly spkiHash: string;
  /** PEM files of the leaf for `host`, made on demand. */
  filesFor(host: string): Promise<{ readonly certificateFile: string; readonly keyFile: string }>;
}

interface Issuer {
  readonly keyFile: string;
  readonly privateKey: KeyObject;
  readonly spkiHash: string;
  readonly signingKey: webcrypto.CryptoKey;
  readonly publicKey: x509.PublicKey;
}

export interface CertificateStoreOptions {
  readonly cache: ToolCache;
  /** Present time in ms since the epoch; `Date.now` when left out. */
  readonly now?: () => number;
}

/**
 * Opens the installation's certificates; the first call makes the key. Leaves are self-signed: browsers are told
 * to accept this one key (Chromium by its hash, Firefox by `acceptInsecureCerts`), no trust store is touched.
 */
export async function openCertificateStore(options: CertificateStoreOptions): Promise<CertificateStore> {
  const now = options.now ?? Date.now;
  const directory = await options.cache.install('certificates', makeKey);
  const issuer = await loadIssuer(path.join(directory, 'key.pem'));
  const pending = new Map<string, Promise<string>>();
  return {
    spkiHash: issuer.spkiHash,
    async filesFor(host) {
      const name = checkedHost(host);
      const known = pending.get(name) ?? leafFile(issuer, directory, name, now);
      pending.set(name, known);
      return { certificateFile: await known, keyFile: issuer.keyFile };
    },
  };
}

async function makeKey(directory: string): Promise<void> {
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  await chmod(directory, 0o700);
  await writeFile(path.join(directory, 'key.pem'), key.export({ format: 'pem', type: 'pkcs8' }), {
    mode: 0o600,
  });
}

async function loadIssuer(keyFile: string): Promise<Issuer> {
  const privateKey = createPrivateKey(await readFile(keyFile));
  const publicDer = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const privateDer = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    keyFile,
    privateKey,
    spkiHash: createHash('sha256').update(publicDer).digest('base64'),
    signingKey: await crypto.subtle.importKey('pkcs8', privateDer, signingAlgorithm, false, ['sign']),
    publicKey: new x509.PublicKey(publicDer),
  };
}

/** Host names become file names, so nothing but the letters of a DNS name is let through. */
function checkedHost(host: string): string {
  const name = host.toLowerCase();
  if (/^(?!.*\.\.)[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(name) && name.length <= 253) return name;
  throw new H2h3Error('bad-input', `No certificate can be made for the host name ${JSON.stringify(host)}`, {
    context: { expected: 'a DNS name of letters, digits, dots and hyphens', got: host },
  });
}

async function leafFile(issuer: Issuer, directory: string, host: string, now: () => number): Promise<string> {
  const leavesDir = path.join(directory, 'leaves');
  const file = path.join(leavesDir, `${host}.pem`);
  if (isCurrent(await readIfPresent(file), host, issuer, now())) return file;
  await mkdir(leavesDir, { recursive: true });
  await writeFile(file, await makeLeaf(issuer, host, now()));
  return file;
}

/** A torn file (two runs writing, a full disk) does not parse or does not match, and is made anew. */
function isCurrent(pem: string | undefined, host: string, issuer: Issuer, nowMs: number): boolean {
  if (pem === undefined) return false;
  try {
    const leaf = new X509Certificate(pem);
    const endsMs = Date.parse(leaf.validTo);
    return (
      leaf.subject === leafName(host).toString() &&
      Date.parse(leaf.validFrom) <= nowMs &&
      endsMs > nowMs + renewalDays * dayMs &&
      leaf.checkPrivateKey(issuer.privateKey)
    );
  } catch {
    // Not a certificate: the caller overwrites it.
    return false;
  }
}

/** PEM of a leaf for `host` alone: with one name each, no browser may share a connection between two hosts. */
async function makeLeaf(issuer: Issuer, host: string, nowMs: number): Promise<string> {
  const name = leafName(host);
  const leaf = await x509.X509CertificateGenerator.create({
    // RFC 5280 wants a positive number of at most 20 octets.
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    subject: name,
    issuer: name,
    notBefore: new Date(nowMs - backdateDays * dayMs),
    notAfter: new Date(nowMs + validityDays * dayMs),
    signingAlgorithm,
    publicKey: issuer.publicKey,
    signingKey: issuer.signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }]),
    ],
  });
  return leaf.toString('pem');
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
