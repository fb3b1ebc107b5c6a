/** One stack of a profile that samples fell into: what ran, from the outermost frame to the innermost. */
export interface FoldedStack {
  readonly frames: readonly string[];
  readonly samples: number;
}

const separator = ';';

/** Lines of `frame;frame;frame COUNT`, the form that flame graph programs read (speedscope, inferno, d3-flame-graph). */
export function writeFolded(stacks: readonly FoldedStack[]): string {
  return stacks
    .map(
      ({ frames, samples }) =>
        `${frames.map((frame) => frame.replaceAll(separator, ':')).join(separator)} ${samples}\n`,
    )
    .join('');
}

/** Reads them back; a line that was cut short is left out. */
export function readFolded(text: string): FoldedStack[] {
  return text.split('\n').flatMap((line) => {
    const space = line.lastIndexOf(' ');
    const samples = Number(line.slice(space + 1));
    if (space <= 0 || !Number.isInteger(samples) || samples <= 0) return [];
    return [{ frames: line.slice(0, space).split(separator), samples }];
  });
}
