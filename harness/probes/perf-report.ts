/** One stack of one thread as perf folded it. */
export interface PerfStack {
  readonly thread: number;
  readonly command: string;
  /** From the outermost to the innermost. */
  readonly frames: readonly string[];
  /** File of the innermost frame's code, such as `libcrypto.so.3` or `[kernel.kallsyms]`. */
  readonly file: string;
  readonly samples: number;
}

/** Code that perf has no name for, which it tells by its address. */
export const isAddress = (frame: string): boolean => /^(0x)?[0-9a-f]+$/i.test(frame);

/** Makes perf fold the stacks of a recording: entries of thread, file and symbol, each followed by the stacks that lead to it. */
export const foldingWords: readonly string[] = [
  'report',
  '--no-children',
  '--stdio',
  '--no-inline',
  '--max-stack',
  '64',
  '-g',
  'folded,0,caller,count',
  '-F',
  'sample,pid,dso,sym',
  '-t',
  '\t',
];

/** Reads what `perf report` with `foldingWords` prints (perf-report(1)). */
export function parsePerfReport(text: string): PerfStack[] {
  const stacks: PerfStack[] = [];
  let entry: Omit<PerfStack, 'frames' | 'samples'> | null = null;
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue;
    const words = line.split('\t').map((word) => word.trim());
    if (line.startsWith(' ')) {
      const [, process = '', file = ''] = words;
      const [thread, ...command] = process.split(':');
      entry = { thread: Number(thread), command: command.join(':'), file };
      continue;
    }
    const [first = '', ...others] = words;
    const space = first.indexOf(' ');
    const samples = Number(first.slice(0, space));
    if (entry === null || space < 0 || !Number.isInteger(samples) || samples <= 0) continue;
    stacks.push({ ...entry, frames: [first.slice(space + 1), ...others], samples });
  }
  return stacks;
}
