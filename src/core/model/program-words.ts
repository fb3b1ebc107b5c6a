import type { H2h3Error } from './errors.ts';

/** What sentences send people to, as the program has it that they typed. */
export interface ProgramWords {
  /** At the head of its lines. */
  readonly name: string;
  /** What puts a command behind a network, without that command. */
  readonly behind: (network: string) => string;
  /** List the networks that have a name, and the factors of a link. */
  readonly networkList: string;
  readonly factorList: string;
  /** What sets factors that are none of a link, a sentence; null: it does not. */
  readonly otherFactors: string | null;
  /** Installs what the system's packages have; null: it does not. */
  readonly systemSetup: string | null;
  /** How one does without a network. */
  readonly withoutNetwork: string;
  /** What to do where a file cannot be written, and the failure itself does not say. */
  readonly storageStep: string;
}

/** `h2h3` itself. */
export const h2h3Words: ProgramWords = {
  name: 'h2h3',
  behind: (network) => `npx h2h3 exec --network ${network}`,
  networkList: 'npx h2h3 describe networks',
  factorList: 'npx h2h3 describe factors',
  otherFactors: '`npx h2h3 run --set` sets the others for what h2h3 loads itself.',
  systemSetup: 'npx h2h3 setup --system',
  withoutNetwork: 'use --network loopback',
  storageStep:
    'Make room there, or choose another folder with --out; a run that was under way continues with `npx h2h3 run --resume DIR`.',
};

/** The second package: commands and programs behind a network, and nothing that measures. */
export const linkWords: ProgramWords = {
  name: 'h2h3-link',
  behind: (network) => `npx h2h3-link ${network}`,
  networkList: 'npx h2h3-link networks',
  factorList: 'npx h2h3-link factors',
  otherFactors: null,
  systemSetup: null,
  withoutNetwork: 'use the network none',
  storageStep:
    'Make room there. TMPDIR names another folder for temporary files, and H2H3_CACHE one for programs.',
};

/** How packages of the system are installed. @param packages as for `apt-get install` */
export function installWords(packages: string, { systemSetup }: ProgramWords): string {
  const other = systemSetup === null ? '' : `, or ${systemSetup}`;
  return `Install ${packages.includes(' ') ? 'them' : 'it'}: sudo apt-get install ${packages}${other}.`;
}

/** What to do about a failure. @param usual where a command line is wrong and the failure itself does not say */
export function nextStep(
  { code, next }: Pick<H2h3Error, 'code' | 'next'>,
  { storageStep }: ProgramWords,
  usual?: string,
): string | undefined {
  if (next !== undefined) return next;
  if (code === 'storage') return storageStep;
  return code === 'usage' ? usual : undefined;
}
