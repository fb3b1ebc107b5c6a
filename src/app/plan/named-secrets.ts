import { isSecretName } from '../../core/model/secrets.ts';

/** What names a secret instead of being one: a variable, a path, a file, an option that follows. */
const reference =
  /^["']?(?:[$/~@<-]|\.{1,2}\/|file:)|\.(?:pem|key|crt|p12|pfx|json|ya?ml|toml|ini|conf|env|txt)["']?$/i;
/** `NAME=VALUE`, `--name=VALUE`, `Name: VALUE`. */
const assigned = /(?:^|[\s"';,{(])-{0,2}([A-Za-z][\w.-]*)\s*[=:]\s*([^\s;,]+)/g;
/** What is called so in an environment, unlike an option such as `--sort-key`. */
const keyVariable = /^[A-Z][A-Z\d_]*_KEY$/;
/** `--name VALUE`. */
const followed = /(?:^|\s)-{1,2}([A-Za-z][\w.-]*)\s+([^\s]+)/g;
const inAddress = /:\/\/[^\s/:@]+:([^\s/@]+)@/g;

/** What in a command line is called a secret and written there, by its name; what has no name is told by its place. */
export function namedSecretsIn(command: string): string[] {
  const named = [assigned, followed].flatMap((pattern) =>
    [...command.matchAll(pattern)].flatMap(([, name = '', value = '']) =>
      (isSecretName(name) || keyVariable.test(name)) && !reference.test(value) ? [name] : [],
    ),
  );
  const passwords = [...command.matchAll(inAddress)].filter(([, value = '']) => !reference.test(value));
  return [...new Set([...named, ...passwords.map(() => 'password of an address')])];
}

/** A shorter value opens nothing: `?token=1` is a switch. */
const minParameterCharacters = 8;

/** What opens an address that was signed for somebody. */
const signature = /^(?:x-(?:amz|goog)-)?sig(?:nature)?$/i;

/** The name of a parameter of an address, or of what stands behind its `#`, that holds a credential. */
export function namedSecretInAddress(address: string): string | undefined {
  const url = URL.parse(address);
  const parameters = [
    ...(url?.searchParams ?? []),
    ...new URLSearchParams(url?.hash.replace(/^#.*\?|^#/, '')),
  ];
  return parameters.find(
    ([name, value]) =>
      (isSecretName(name) || signature.test(name)) &&
      value.length >= minParameterCharacters &&
      !reference.test(value),
  )?.[0];
}
