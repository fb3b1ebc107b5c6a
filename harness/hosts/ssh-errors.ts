import { H2h3Error, type ErrorCode } from '../../src/core/model/errors.ts';
import { shellWord } from '../../src/core/model/command-words.ts';
import { foreignText } from './foreign-text.ts';

interface KnownFailure {
  readonly said: RegExp;
  readonly code?: ErrorCode;
  readonly reason: string;
  readonly next: (host: string) => string;
}

const byHand = (host: string): string => `ssh ${shellWord(host)}`;

/** What OpenSSH says, in the order in which one may hide the other (ssh.c, sshconnect.c, readconf.c). */
const knownFailures: readonly KnownFailure[] = [
  {
    said: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    reason: 'its host key is another than the known one',
    next: (host) =>
      `Find out why. If the machine was installed anew, \`ssh-keygen -R\` removes the old key, and \`${byHand(host)}\` shows the new one.`,
  },
  {
    said: /Host key verification failed|No .* host key is known/,
    reason: 'its host key is not known here',
    next: (host) =>
      `\`${byHand(host)}\` shows the key's fingerprint and asks. h2h3 accepts no key by itself.`,
  },
  {
    said: /Permission denied/,
    reason: 'it takes none of your keys',
    next: (host) => `\`ssh-copy-id ${shellWord(host)}\` puts one there. h2h3 asks for no password.`,
  },
  {
    said: /Could not resolve hostname/,
    reason: 'there is no host of that name',
    next: () => 'Name a host, an address, or an alias of ~/.ssh/config.',
  },
  {
    said: /Connection refused/,
    reason: 'no sshd listens there',
    next: (host) => `Start it there, or correct the port. \`${byHand(host)}\` must work without a password.`,
  },
  {
    said: /timed out|No route to host|Network is unreachable/,
    reason: 'it cannot be reached',
    next: (host) => `Check the address and the cable. \`${byHand(host)}\` must work without a password.`,
  },
  {
    said: /Bad configuration option|terminating, \d+ bad configuration/,
    code: 'usage',
    reason: 'the configuration of ssh has a fault',
    next: (host) => `\`${byHand(host)}\` names it.`,
  },
];

/** Why no connection was made, with the next step. @param stderr what ssh said */
export function sshFailure(host: string, stderr: string): H2h3Error {
  const known = knownFailures.find(({ said }) => said.test(stderr));
  const context = { stderrTail: stderr.trim() };
  if (known !== undefined)
    return new H2h3Error(known.code ?? 'unsupported', `${host} cannot be used: ${known.reason}`, {
      next: known.next(host),
      context,
    });
  const last = foreignText(stderr.trim().split('\n').at(-1) ?? '');
  return new H2h3Error(
    'unsupported',
    `${host} cannot be used: ${last === '' ? 'ssh ended without a word' : last}`,
    {
      next: `\`${byHand(host)}\` must work without a password.`,
      context,
    },
  );
}
