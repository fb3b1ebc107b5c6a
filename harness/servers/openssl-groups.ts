import { isVersionAtLeast } from '../tools/caddy-binary.ts';

/** From this version on OpenSSL has X25519MLKEM768. */
const firstWithHybrid = '3.5';

/** Of nginx `built with OpenSSL 3.5.7 … (running with OpenSSL 3.5.9 …)`, of HAProxy `Running on SSL library version : OpenSSL 3.6.5 …`. */
const libraryForm =
  /(?:built with|running (?:with|on)) (?:(?:Open)?SSL (?:library )?version : )?(OpenSSL|\w*SSL|AWS-LC)(?: (\d+\.\d+\.\d+))?/gi;

/** Why a server has no X25519MLKEM768, by what it says of its library; undefined where it has it, or does not say. */
export function hybridLack(server: string, said: string): string | undefined {
  // What it runs with stands behind what it was built with.
  const [, library, version] = [...said.matchAll(libraryForm)].at(-1) ?? [];
  if (library !== 'OpenSSL' || version === undefined || isVersionAtLeast(version, firstWithHybrid))
    return undefined;
  return `${server} runs here with OpenSSL ${version}, which has no X25519MLKEM768 before ${firstWithHybrid}`;
}
