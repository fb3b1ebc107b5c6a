import { H2h3Error, messageOf } from '../core/model/errors.ts';
import type { Progress } from './app-context.ts';

/**
 * Installs one after another; what one lacks does not keep the others away.
 *
 * @param done what they were not, for the error: `installed`
 * @throws H2h3Error of the first that failed, after all were tried
 */
export async function installEach<Name>(
  names: readonly Name[],
  done: string,
  progress: Progress,
  install: (name: Name) => Promise<void>,
): Promise<void> {
  const faults: H2h3Error[] = [];
  for (const name of names) {
    try {
      await install(name);
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted' || names.length === 1) throw thrown;
      progress.say(`${messageOf(thrown)}${thrown.next === undefined ? '' : `. ${thrown.next}`}`);
      faults.push(thrown);
    }
  }
  const [first] = faults;
  if (first !== undefined)
    throw new H2h3Error(first.code, `${faults.length} of ${names.length} versions were not ${done}`, {
      cause: first,
    });
}
