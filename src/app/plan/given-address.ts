import { H2h3Error } from '../../core/model/errors.ts';
import { references } from '../../core/model/live-access.ts';
import { hasUserInformation, userInformationOf } from '../../core/model/user-information.ts';
import { referredTo, type Environment } from './live-access.ts';
import { namedSecretInAddress } from './named-secrets.ts';

/** Stand for the values of references while an address is taken apart: no address has these characters. */
const begin = '\u0001';
const end = '\u0002';
const marks = new RegExp(`${begin}(\\d+)${end}`, 'g');
const userInformation = /(:\/\/)([^\s/?#]+)@/g;
/** A user name, which is no secret next to a password that is referred to. */
const plainName = /:\/\/[^\s/?#:${}@]+(?=:\$\{)/g;

/**
 * An address as given, with the values of its references, `${NAME}` or `${file:PATH}` each. Within user name and password they are
 * escaped as an address needs it.
 *
 * @param what such as `--workers`
 * @throws H2h3Error `usage` for a reference to what there is not
 */
export function addressFrom(what: string, written: string, environment: Environment): string {
  const values: string[] = [];
  const marked = written.replaceAll(references, (reference) => {
    const value = referredTo(reference.slice(2, -1), environment, what);
    return `${begin}${values.push(value) - 1}${end}`;
  });
  const valueOf = (index: string): string => values[Number(index)] ?? '';
  return marked
    .replaceAll(userInformation, (_, slashes: string, text: string) => {
      const escaped = text.replaceAll(marks, (__, index: string) => escapedWhole(valueOf(index)));
      return `${slashes}${escaped}@`;
    })
    .replaceAll(marks, (_, index: string) => valueOf(index));
}

/** Also `'` and the like, which encodeURIComponent leaves: texts are searched for addresses up to a quotation mark. */
function escapedWhole(value: string): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(value).replaceAll(/[!'()*]/g, hex);
}

/** Whether something stands next to the references of an address, as texts are searched and as addresses are read. */
function isHeldIn(named: string): boolean {
  return hasUserInformation(named) || userInformationOf(named.replaceAll(references, '')) !== '';
}

/**
 * An address of the command line, which every user of the machine can read: its secrets are named, never written.
 *
 * @param like how it names them, for the sentence that refuses it
 * @throws H2h3Error `usage` without repeating it, for one whose secrets are written in it or that names what there is not
 */
export function givenAddress(
  what: string,
  written: string,
  { environment, like }: { readonly environment: Environment; readonly like: string },
): string {
  const named = written.replaceAll(references, '${NAME}').replaceAll(plainName, '://');
  const held = isHeldIn(named) ? 'user name or password' : namedSecretInAddress(written);
  if (held === undefined) return addressFrom(what, written, environment);
  throw new H2h3Error(
    'usage',
    `${what} has a secret written in it (${held}), which every user of this machine can read`,
    {
      next: `Name it, in single quotes: '${like}' takes it out of the environment, \${file:PATH} out of a file.`,
    },
  );
}
