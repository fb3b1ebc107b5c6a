import { extname } from 'node:path';
import { secretShapesIn } from '../../../sites/archive/known-secrets.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { secretsNamedIn, type NamedSecret } from '../../core/model/secrets.ts';
import { unpackGzip } from '../../store/evidence.ts';

/** A part is scanned at once; a secret across the seam of two is found in the overlap. */
const partLength = 1_000_000;
const overlapLength = 10_000;
const pictures = new Set(['.png', '.webp', '.jpg', '.mp4', '.webm']);

/** @throws H2h3Error `bad-input` for a packed file that cannot be searched */
function textOf(name: string, content: Uint8Array): string {
  const plain = extname(name) === '.gz' ? unpackGzip(content, name) : Buffer.from(content);
  return plain.toString('latin1');
}

/** Looks through files that would leave, one after another. */
export interface FileSearch {
  /** @throws H2h3Error `bad-input` for a packed file that is damaged, or too long unpacked */
  readonly look: (name: string, content: Uint8Array) => Promise<void>;
  /** @throws H2h3Error `bad-input` that names the files, never the secrets */
  readonly requireNone: () => void;
}

/** Searches for what has the shape of a known token or key, and for known secrets in every form. */
export function searchFiles(secrets: readonly NamedSecret[]): FileSearch {
  const namesIn = secretsNamedIn(secrets);
  const found: string[] = [];
  return {
    look: async (name, content) => {
      if (pictures.has(extname(name))) return;
      const kinds = new Set<string>();
      for (const part of partsOf(textOf(name, content)))
        for (const kind of [...namesIn(part), ...(await secretShapesIn(part))]) kinds.add(kind);
      found.push(...[...kinds].map((kind) => `${name} (${kind})`));
    },
    requireNone: () => {
      if (found.length === 0) return;
      throw new H2h3Error('bad-input', 'this run holds what looks like a secret, and was not packed', {
        context: { got: `${found.slice(0, 8).join(', ')}${found.length > 8 ? ', …' : ''}` },
        next: 'Look at these files. If the secret is real, measure again with secrets named as ${NAME}. `--keep-secrets` packs them all the same.',
      });
    },
  };
}

function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; from += partLength)
    yield text.slice(from, from + partLength + overlapLength);
}
