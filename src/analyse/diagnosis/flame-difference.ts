import type { FlameGraph, FlameNode } from '../../core/model/diagnosis.ts';

/** Programs that read folded stacks want whole numbers. */
const unitsPerMs = 100;

/**
 * Stacks with the time of both arms in hundredths of a millisecond, `frame;frame BASELINE CANDIDATE` a line: what programs for
 * differential flame graphs read. The time of a frame is what none of its shown callees has.
 */
export function foldedDifference({ root }: FlameGraph): string {
  return linesOf(root, []).join('');
}

function linesOf(
  { name, baselineMs, candidateMs, children = [] }: FlameNode,
  above: readonly string[],
): string[] {
  const stack = [...above, name.replaceAll(';', ':')];
  const own = (whole: number, of: (child: FlameNode) => number): number =>
    Math.max(0, Math.round(unitsPerMs * (whole - children.reduce((sum, child) => sum + of(child), 0))));
  const before = own(baselineMs, (child) => child.baselineMs);
  const after = own(candidateMs, (child) => child.candidateMs);
  return [
    ...(before + after > 0 ? [`${stack.join(';')} ${before} ${after}\n`] : []),
    ...children.flatMap((child) => linesOf(child, stack)),
  ];
}
