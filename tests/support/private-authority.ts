import { createPrivateKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

export interface PrivateAuthority {
  /** PEM of its own certificate. */
  readonly rootFile: string;
  /** Of the leaf that it signed. */
  readonly certificateFile: string;
  readonly keyFile: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60_000;

/** An authority as a company has one, that nobody trusts by itself, and a certificate that it signed for these hosts. */
export async function privateAuthority(folder: string, hosts: readonly string[]): Promise<PrivateAuthority> {
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + 30 * dayMs) };
  const rootKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=The company',
    keys: rootKeys,
    signingAlgorithm: algorithm,
    ...validity,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=a site of the company',
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: algorithm,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value }))),
    ],
  });
  const key = createPrivateKey({
    key: Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)),
    format: 'der',
    type: 'pkcs8',
  });
  const files = {
    rootFile: join(folder, 'root.pem'),
    certificateFile: join(folder, 'leaf.pem'),
    keyFile: join(folder, 'key.pem'),
  };
  writeFileSync(files.rootFile, root.toString('pem'));
  writeFileSync(files.certificateFile, leaf.toString('pem'));
  writeFileSync(files.keyFile, key.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  return files;
}
