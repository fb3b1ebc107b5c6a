import { extname } from 'node:path';
import { secretShapesIn } from '../../../sites/archive/known-secrets.ts';
import { H2h3Error } from '../../model/errors.ts';
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

/** Values of variables of this process whose names say that they are secret, where they are long enough to be one. */
function secretsOfEnvironment(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    /PASSWORD|SECRET|TOKEN|API_?KEY|PRIVATE_KEY|CREDENTIAL/i.test(name) &&
    value !== undefined &&
    value.length >= 8
      ? [value]
      : [],
  );
}

/** Looks through files that would leave, one after another. */
export interface SecretSearch {
  /** @throws H2h3Error `bad-input` for a packed file that is damaged, or too long unpacked */
  readonly look: (name: string, content: Uint8Array) => Promise<void>;
  /** @throws H2h3Error `bad-input` that names the files, never the secrets */
  readonly requireNone: () => void;
}

/** Searches for what has the shape of a known token or key, and for the values of this shell's own secret variables. */
export function searchForSecrets(environment: NodeJS.ProcessEnv): SecretSearch {
  const own = secretsOfEnvironment(environment);
  const found: string[] = [];
  return {
    look: async (name, content) => {
      if (pictures.has(extname(name))) return;
      const kinds = await secretKindsIn(textOf(name, content), own);
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

async function secretKindsIn(text: string, own: readonly string[]): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>();
  if (own.some((secret) => text.includes(secret))) kinds.add('the value of a secret variable of this shell');
  for (let from = 0; from < text.length; from += partLength)
    for (const kind of await secretShapesIn(text.slice(from, from + partLength + overlapLength)))
      kinds.add(kind);
  return kinds;
}
