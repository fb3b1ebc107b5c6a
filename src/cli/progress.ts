import { widthOf } from './table.ts';
import { canRewrite } from './terminal.ts';
import type { Progress } from '../app/app-context.ts';
import { plainText } from './plain-text.ts';
import type { ProgressReporter } from '../core/model/workload.ts';

type TerminalStream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & {
  readonly write: (text: string) => boolean;
};

/**
 * Progress on standard error: one line that is rewritten on a terminal, a line a step otherwise, so that
 * standard output stays for results.
 */
export class TerminalProgress implements Progress {
  readonly #stream: TerminalStream;
  #live = false;
  #lastTitle = '';

  constructor(stream: TerminalStream = process.stderr) {
    this.#stream = stream;
  }

  /** A line that stays. */
  say(line: string): void {
    this.clear();
    this.#stream.write(`${plainText(line)}\n`);
  }

  /** A line that the next one replaces; off a terminal it is left out. */
  show(line: string): void {
    if (!canRewrite(this.#stream, process.env)) return;
    const width = widthOf(this.#stream, process.env) ?? Infinity;
    this.clear();
    const text = plainText(line);
    this.#stream.write(text.length < width ? text : `${text.slice(0, width - 2)}…`);
    this.#live = true;
  }

  clear(): void {
    if (!this.#live) return;
    this.#stream.write('\r\u001b[2K');
    this.#live = false;
  }

  /** For set-up and encoding: shows each step; off a terminal only when a new step begins. */
  readonly reporter: ProgressReporter = ({ title, fraction, detail }) => {
    const share = fraction === undefined ? '' : ` ${Math.floor(fraction * 100)} %`;
    const line = `${title}${share}${detail === undefined ? '' : ` (${detail})`}`;
    if (canRewrite(this.#stream, process.env)) this.show(line);
    else if (title !== this.#lastTitle) this.say(line);
    this.#lastTitle = title;
  };
}
