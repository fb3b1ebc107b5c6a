/** A command line as `shellWord` writes it, without options that each take a value. @param names without their dashes */
export function commandWithout(command: string, names: readonly string[]): string {
  const words = command.match(/(?:'(?:[^']|'\\'')*'|\S)+/g) ?? [];
  const kept: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    if (names.some((name) => word === `--${name}`)) index++;
    else if (!names.some((name) => word.startsWith(`--${name}=`))) kept.push(word);
  }
  return kept.join(' ');
}
