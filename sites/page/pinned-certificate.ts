/** What the origin says of the certificate of its host. */
export interface PinnedCertificate {
  /** Base64. */
  readonly sha256: string;
  /** How long it lasts in all. */
  readonly days: number;
  /** Of its key. */
  readonly algorithm: string;
}

/** What `serverCertificateHashes` allows (W3C WebTransport, 6.9, "verify a certificate hash"). */
const maxDays = 14;

/** Why no browser takes it by its hash; undefined where one does. */
export function certificateRefusal({ days, algorithm }: PinnedCertificate): string | undefined {
  if (days > maxDays)
    return `the server’s certificate lasts ${days} days, and serverCertificateHashes takes ${maxDays} at most`;
  return algorithm === 'ECDSA'
    ? undefined
    : `the server’s certificate has a key of ${algorithm}, and serverCertificateHashes takes ECDSA alone`;
}
