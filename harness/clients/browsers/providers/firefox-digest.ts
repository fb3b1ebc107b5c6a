import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { SetupContext } from '../../../tools/setup-context.ts';

/** Where Mozilla publishes the digest of an archive, and the name it has there. */
interface PublishedDigest {
  readonly list: URL;
  readonly name: string;
  /** Finds the digest in the list's text, in lower-case hex. */
  readonly pattern: RegExp;
}

const sha256Form = '([0-9a-fA-F]{64})';

/**
 * Releases have one `SHA256SUMS` next to their folders of platforms (lines of sha256sum(1): digest, two spaces, path);
 * a nightly has a list of its own next to it (lines of digest, kind, bytes, name).
 */
function publishedDigest(archive: URL): PublishedDigest {
  const path = decodeURIComponent(archive.pathname).split('/');
  const file = path.at(-1) ?? '';
  if (/\/nightly\//.test(archive.pathname)) {
    const list = new URL(archive);
    list.pathname = archive.pathname.replace(/\.(?:tar\.(?:xz|bz2)|dmg|zip|exe)$/, '.checksums');
    const line = `^${sha256Form} sha256 \\d+ (?:\\S*/)?${RegExp.escape(file)}$`;
    return { list, name: file, pattern: new RegExp(line, 'm') };
  }
  const name = path.slice(-3).join('/');
  const line = `^${sha256Form} [ *]${RegExp.escape(name)}$`;
  return { list: new URL('../../SHA256SUMS', archive), name, pattern: new RegExp(line, 'm') };
}

/**
 * SHA-256 (hex) that Mozilla publishes for an archive of Firefox.
 *
 * @throws H2h3Error `unsupported` when the list cannot be had, `bad-input` when the archive is not in it.
 */
export async function firefoxSha256(
  archive: URL,
  { download, signal }: Pick<SetupContext, 'download' | 'signal'>,
): Promise<string> {
  const { list, name, pattern } = publishedDigest(archive);
  const { bytes } = await download(list.href, { signal });
  const digest = pattern.exec(Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n'))?.[1];
  if (digest !== undefined) return digest.toLowerCase();
  throw new H2h3Error('bad-input', `Mozilla publishes no digest of ${name}`, {
    context: { file: list.href },
    next: 'Choose another version: an archive that cannot be checked is not used.',
  });
}
