import { randomBytes } from 'node:crypto';
import type { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { authorityName, leafName } from './certificate-names.ts';

const dayMs = 24 * 60 * 60_000;
/** Browsers refuse leaves valid for longer than 398 days; a quarter is far below that and outlives any run. */
const validityDays = 90;
/** `serverCertificateHashes` of WebTransport takes two weeks at most, counted from the first day (W3C WebTransport, 6.9). */
const shortDays = 12;
/** Clocks of a container and its host may differ: valid from a day ago. */
const backdateDays = 1;

/** RFC 5612 keeps this number of an enterprise for examples; clients pass over an extension that they do not know. */
const paddingId = '1.3.6.1.4.1.32473.1';
/** DER writes lengths in more bytes as they grow, and signatures of ECDSA vary by one or two. */
const lengthSlackBytes = 2;
const maxTries = 8;

/** What a leaf is to be beyond its host. */
export interface LeafForm {
  /** Its length in DER; absent: as short as it comes, about half a kB. */
  readonly bytes?: number;
  /** Default: ECDSA P-256. */
  readonly keyType?: 'ecdsa' | 'rsa';
  /** Whether a third of what makes it long compresses away. Default: nothing does. */
  readonly compressible?: boolean;
  /** All hosts that it is for. Default: the one. */
  readonly names?: readonly string[];
  /** Whether the installation's own authority signs it. Default: its own key does. */
  readonly byAuthority?: boolean;
  /** Whether it ends so soon that a page may accept it by its hash. Default: it lasts a quarter of a year. */
  readonly shortLived?: boolean;
}

/** A key as it signs certificates. */
export interface SigningKey {
  readonly signingKey: webcrypto.CryptoKey;
  /** DER of its SubjectPublicKeyInfo. */
  readonly publicDer: Uint8Array<ArrayBuffer>;
  readonly algorithm: webcrypto.Algorithm | webcrypto.EcdsaParams;
}

const validFrom = (
  nowMs: number,
  days = validityDays,
): Pick<x509.X509CertificateCreateParamsBase, 'serialNumber' | 'notBefore' | 'notAfter'> => ({
  // RFC 5280 wants a positive number of at most 20 octets.
  serialNumber: `01${randomBytes(15).toString('hex')}`,
  notBefore: new Date(nowMs - backdateDays * dayMs),
  notAfter: new Date(nowMs + days * dayMs),
});

/** What signs leaves: its own key, or the authority's. */
export interface LeafKeys {
  readonly own: SigningKey;
  readonly authority: SigningKey;
}

/**
 * PEM of a leaf: with one name each, no browser may share a connection between two hosts.
 *
 * @throws H2h3Error `unsupported` where its names alone make it longer than it should be
 */
export async function makeLeaf(
  keys: LeafKeys,
  names: readonly string[],
  form: LeafForm,
  nowMs: number,
): Promise<string> {
  const { bytes } = form;
  let leaf = await leafWith(keys, names, form, { nowMs, paddingBytes: 0 });
  if (bytes === undefined) return leaf.toString('pem');
  let paddingBytes = bytes - leaf.rawData.byteLength;
  for (let tries = 0; tries < maxTries && paddingBytes > 0; tries++) {
    leaf = await leafWith(keys, names, form, { nowMs, paddingBytes });
    const lackingBytes = bytes - leaf.rawData.byteLength;
    if (Math.abs(lackingBytes) <= lengthSlackBytes) return leaf.toString('pem');
    paddingBytes += lackingBytes;
  }
  throw new H2h3Error('unsupported', `a certificate of ${bytes} bytes cannot be made`, {
    context: { expected: `${bytes} bytes`, got: `${leaf.rawData.byteLength} with ${names.length} names` },
    next: 'Take a longer chain, or a page of fewer hosts.',
  });
}

function leafWith(
  { own, authority }: LeafKeys,
  names: readonly string[],
  { byAuthority = false, compressible = false, shortLived = false }: LeafForm,
  { nowMs, paddingBytes }: { readonly nowMs: number; readonly paddingBytes: number },
): Promise<x509.X509Certificate> {
  const subject = leafName(names);
  const signer = byAuthority ? authority : own;
  return x509.X509CertificateGenerator.create({
    ...validFrom(nowMs, shortLived ? shortDays : validityDays),
    subject,
    issuer: byAuthority ? authorityName : subject,
    signingAlgorithm: signer.algorithm,
    publicKey: new x509.PublicKey(own.publicDer),
    signingKey: signer.signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
      ...(paddingBytes > 0
        ? [new x509.Extension(paddingId, false, padding(paddingBytes, compressible))]
        : []),
    ],
  });
}

/** Random bytes, which no compression shortens; of a compressible leaf the last third is nothing but zeros. */
function padding(lengthBytes: number, compressible: boolean): Buffer<ArrayBuffer> {
  const content = Buffer.alloc(lengthBytes);
  content.set(randomBytes(compressible ? Math.ceil((2 * lengthBytes) / 3) : lengthBytes));
  return content;
}

/** PEM of the authority's own certificate, for clients that are to trust it. */
export async function makeAuthority(authority: SigningKey, nowMs: number): Promise<string> {
  const certificate = await x509.X509CertificateGenerator.create({
    ...validFrom(nowMs),
    subject: authorityName,
    issuer: authorityName,
    signingAlgorithm: authority.algorithm,
    publicKey: new x509.PublicKey(authority.publicDer),
    signingKey: authority.signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return certificate.toString('pem');
}
