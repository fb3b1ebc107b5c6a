/** A time as `--budget` takes it: `20m`, `90s`. Anything else that it takes is a limit of a metric or a file of them. */
const timePattern = /^\d+(?:\.\d+)?[a-z]*$/;

/** A word as it must be typed in a POSIX shell to mean just itself. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The words of a command line as they are typed, quotes included: what a shell would part it at. */
export function commandWords(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)].map(([word]) => word);
}

/**
 * A command's words without these options and their values. `--budget` is left out only where it says a time: limits of
 * metrics are part of what is asked.
 */
export function wordsWithout(command: string, names: readonly string[]): string[] {
  const words = commandWords(command);
  const kept: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const name = word.split('=')[0] ?? '';
    const isWhole = word !== name;
    const value = isWhole ? word.slice(name.length + 1) : (words[i + 1] ?? '');
    const isLimit = name === '--budget' && !timePattern.test(value);
    if (!names.includes(name) || isLimit) kept.push(word);
    else if (!isWhole) i += 1;
  }
  return kept;
}

/** The option of a flag as programs name it: `--allow-undecided` of `allowUndecided`. */
export function optionOf(flag: string): string {
  return `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
