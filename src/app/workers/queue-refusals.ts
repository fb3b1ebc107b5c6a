import { startOfText } from '../../core/model/cut-text.ts';
import { H2h3Error, foreignWords, messageOf } from '../../core/model/errors.ts';

/** What to do where something else has a name of ours. */
const clearPlace =
  'Remove it (`redis-cli DEL` of that key), or give coordinator and workers another database, such as redis://host:6379/1.';

/** Whether the queue itself answered that it will not do it, because of what it holds or of how it is set up. */
export const isRefusal = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (thrown.name === 'ReplyError' ||
    /^(WRONGTYPE|ERR|OOM|READONLY|MISCONF|NOPERM)\b/.test(foreignWords(thrown)));

/** Says in a sentence what the queue refuses. @throws H2h3Error `usage` where something else has the name `key`, or it refuses else */
export async function ofOurs<T>(answer: Promise<T>, key: string): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    const isForeign = /WRONGTYPE/.test(foreignWords(thrown));
    throw new H2h3Error(
      'usage',
      isForeign
        ? `the queue has something else under the name ${key} than h2h3 keeps there`
        : `the queue refuses to work with ${key}: ${messageOf(thrown)}`,
      {
        cause: thrown,
        next: isForeign ? clearPlace : 'Look at its memory, its disk and what this user may do.',
      },
    );
  }
}

/** A run has fewer hosts, and a reason is a sentence or two. */
const maxHosts = 100;
const maxReasonCharacters = 1000;

/** Why hosts take no part in a run, as far as a person reads it: who can write the queue can write anything there. */
export function readRefusals(written: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const named = Object.entries(written).filter(([host]) => /^[^\p{Cc}]{1,253}$/u.test(host));
  return new Map(
    named
      .slice(0, maxHosts)
      .map(([host, why]) => [host, startOfText(why.replaceAll(/\s+/g, ' '), maxReasonCharacters)] as const),
  );
}
