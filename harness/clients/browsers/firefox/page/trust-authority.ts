/** Runs in Firefox's window, with the browser's own privileges. */
interface CertificateDatabase {
  addCertFromBase64(base64: string, trust: string): void;
}
declare const Cc: Readonly<Record<string, { getService(type: unknown): CertificateDatabase }>>;
declare const Ci: { readonly nsIX509CertDB: unknown };

/** Trusts an authority for sites, in this profile alone. */
export function trustAuthority(base64: string): boolean {
  const database = Cc['@mozilla.org/security/x509certdb;1']?.getService(Ci.nsIX509CertDB);
  database?.addCertFromBase64(base64, 'C,,');
  return database !== undefined;
}
