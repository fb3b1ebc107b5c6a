import { X509Certificate, createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { readInput, readKept } from '../../src/core/system/read-input.ts';
import { writeWhole } from '../../src/core/system/write-whole.ts';
import type { ToolCache } from '../../src/core/system/tool-cache.ts';
import type { LeafForm, SigningKey } from './certificate-leaf.ts';
import { authorityName, leafName } from './certificate-names.ts';
import { makeFolder } from '../../src/core/system/storage-error.ts';

const dayMs = 24 * 60 * 60_000;
/** Leaves that would end during a long run are made anew. */
const renewalDays = 7;

/** How keys of each kind are made and sign, and the folder of the tool cache that keeps one. */
const keyKinds = {
  ecdsa: {
    folder: 'certificates',
    generate: { name: 'ECDSA', namedCurve: 'P-256' },
    sign: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  },
  rsa: {
    folder: 'certificates-rsa',
    generate: {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    sign: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  },
} as const;
export type KeyType = keyof typeof keyKinds;

/** One key pair of each kind for all hosts (so one SPKI hash); a leaf certificate per host, so that no connection is shared between hosts. */
export interface CertificateStore {
  /** Base64 of the SHA-256 of the SubjectPublicKeyInfo, for Chromium's `--ignore-certificate-errors-spki-list`. */
  readonly spkiHash: string;
  /** The same of the key of a kind, which is made when it is first asked for. */
  spkiHashOf(keyType: KeyType): Promise<string>;
  /** PEM files of the leaf for `host`, made on demand. @throws H2h3Error as `makeLeaf` */
  filesFor(
    host: string,
    form?: LeafForm,
  ): Promise<{ readonly certificateFile: string; readonly keyFile: string }>;
  /** Base64 of the DER of the authority that signs leaves of that form. */
  authority(): Promise<string>;
}

interface Issuer extends SigningKey {
  readonly directory: string;
  readonly keyFile: string;
  readonly privateKey: KeyObject;
  readonly spkiHash: string;
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
export async function openCertificateStore({
  cache,
  now = Date.now,
}: CertificateStoreOptions): Promise<CertificateStore> {
  const usual = await openIssuer('ecdsa', cache);
  const issuers = new Map<KeyType, Promise<Issuer>>([['ecdsa', Promise.resolve(usual)]]);
  const issuerOf = (keyType: KeyType): Promise<Issuer> => {
    const issuer = issuers.get(keyType) ?? openIssuer(keyType, cache);
    issuers.set(keyType, issuer);
    return issuer;
  };
  const pending = new Map<string, Promise<string>>();
  return {
    spkiHash: usual.spkiHash,
    spkiHashOf: async (keyType) => (await issuerOf(keyType)).spkiHash,
    async filesFor(host, form = {}) {
      const name = checkedHost(host);
      const own = await issuerOf(form.keyType ?? 'ecdsa');
      const key = JSON.stringify([name, form]);
      const known = pending.get(key) ?? leafFile({ own, authority: usual, form, now }, name);
      pending.set(key, known);
      return { certificateFile: await known, keyFile: own.keyFile };
    },
    authority: async () => {
      const file = path.join(usual.directory, 'authority.pem');
      const make = async (): Promise<string> => (await certificateMaker()).makeAuthority(usual, now());
      const pem = await keptPem(file, authorityName, usual, { nowMs: now(), make });
      return new X509Certificate(pem).raw.toString('base64');
    },
  };
}

async function openIssuer(keyType: KeyType, cache: ToolCache): Promise<Issuer> {
  const { folder, sign } = keyKinds[keyType];
  const directory = await cache.install(folder, (target) => makeKey(target, keyType));
  const keyFile = path.join(directory, 'key.pem');
  const privateKey = createPrivateKey(readInput(keyFile, { what: 'a key in the cache', followLink: false }));
  const publicDer = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const privateDer = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    directory,
    keyFile,
    privateKey,
    spkiHash: createHash('sha256').update(publicDer).digest('base64'),
    signingKey: await crypto.subtle.importKey('pkcs8', privateDer, sign, false, ['sign']),
    publicDer: Uint8Array.from(publicDer),
    algorithm: sign,
  };
}

async function makeKey(directory: string, keyType: KeyType): Promise<void> {
  const { generate } = keyKinds[keyType];
  const keys = await crypto.subtle.generateKey(generate, true, ['sign', 'verify']);
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  await chmod(directory, 0o700);
  await writeFile(path.join(directory, 'key.pem'), key.export({ format: 'pem', type: 'pkcs8' }), {
    mode: 0o600,
  });
}

/** Host names become file names, so nothing but the letters of a DNS name is let through. */
function checkedHost(host: string): string {
  const name = host.toLowerCase();
  if (isIP(name) === 6) return name;
  if (/^(?!.*\.\.)[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(name) && name.length <= 253) return name;
  throw new H2h3Error('bad-input', `No certificate can be made for the host name ${JSON.stringify(host)}`, {
    context: { expected: 'a DNS name of letters, digits, dots and hyphens, or an IP address', got: host },
  });
}

/** Its library takes longer to load than the certificates of most runs to read, which were made before. */
const certificateMaker = (): Promise<typeof import('./certificate-leaf.ts')> =>
  import('./certificate-leaf.ts');

interface LeafOrder {
  readonly own: Issuer;
  readonly authority: Issuer;
  readonly form: LeafForm;
  readonly now: () => number;
}

async function leafFile({ own, authority, form, now }: LeafOrder, host: string): Promise<string> {
  const names = form.names?.map(checkedHost) ?? [host];
  const leavesDir = path.join(own.directory, 'leaves');
  makeFolder(leavesDir);
  const file = path.join(leavesDir, fileNameOf(host, form));
  const make = async (): Promise<string> =>
    (await certificateMaker()).makeLeaf({ own, authority }, names, form, now());
  await keptPem(file, leafName(names), own, { nowMs: now(), make });
  return file;
}

/** Leaves of one host and of several forms lie side by side. */
function fileNameOf(host: string, form: LeafForm): string {
  if (Object.keys(form).length === 0) return `${host}.pem`;
  const hash = createHash('sha256')
    .update(JSON.stringify([host, form]))
    .digest('hex');
  return `form-${hash.slice(0, 32)}.pem`;
}

/** What the file holds, made anew where it is not there, or is none that may be used any longer. */
async function keptPem(
  file: string,
  subject: string,
  { privateKey }: Issuer,
  { nowMs, make }: { readonly nowMs: number; readonly make: () => Promise<string> },
): Promise<string> {
  const kept = readKept(file, 'a certificate in the cache');
  if (kept !== null && isCurrent(kept, subject, privateKey, nowMs)) return kept;
  const pem = await make();
  writeWhole(file, pem);
  return pem;
}

/** A torn file (two runs writing, a full disk) does not parse or does not match, and is made anew. */
function isCurrent(pem: string, subject: string, privateKey: KeyObject, nowMs: number): boolean {
  try {
    const certificate = new X509Certificate(pem);
    const endsMs = Date.parse(certificate.validTo);
    return (
      certificate.subject === subject &&
      Date.parse(certificate.validFrom) <= nowMs &&
      endsMs > nowMs + renewalDays * dayMs &&
      certificate.checkPrivateKey(privateKey)
    );
  } catch {
    // Not a certificate: the caller overwrites it.
    return false;
  }
}
