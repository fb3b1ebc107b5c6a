import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60_000;

/**
 * Makes the certificate authority of one recording where mitmproxy looks for it. Made here, its key is known before the
 * proxy runs, so that browser and proxy start side by side.
 *
 * @param directory the proxy's `confdir`
 * @returns Base64 of the SHA-256 of its public key: mitmproxy's leaves have the same
 */
export async function makeProxyAuthority(directory: string): Promise<string> {
  // Loaded when needed: it takes longer than other commands' start.
  const x509 = await import('@peculiar/x509');
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const name = 'CN=h2h3 recording';
  const authority = await x509.X509CertificateGenerator.create({
    // RFC 5280 wants a positive number of at most 20 octets.
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    subject: name,
    issuer: name,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    signingAlgorithm,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = x509.PemConverter.encode(der, 'PRIVATE KEY');
  await writeFile(join(directory, 'mitmproxy-ca.pem'), `${key}\n${authority.toString('pem')}\n`, {
    mode: 0o600,
  });
  const publicDer = Buffer.from(await crypto.subtle.exportKey('spki', keys.publicKey));
  return createHash('sha256').update(publicDer).digest('base64');
}
