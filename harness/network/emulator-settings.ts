import { writeFile } from 'node:fs/promises';
import type { DirectionSpec } from '../../src/core/model/network-spec.ts';
import type { Trace } from './traces/trace.ts';

const nsPerMs = 1e6;

/** Whether a queue marks, and whether datagrams with ECN leave it each by itself or joined, as from a network card. */
export type Marking = 'none' | 'apart' | 'joined';

/** A trace as the emulator reads it: a line for each step or opportunity. */
export function traceText(trace: Trace): string {
  const lines =
    trace.kind === 'steps'
      ? trace.steps.map(({ startMs, mbps }) => `${Math.round(startMs * nsPerMs)} ${mbps * 1e6}`)
      : trace.timesMs.map((timeMs) => String(timeMs * nsPerMs));
  return `${lines.join('\n')}\n`;
}

/**
 * Settings of one direction as the emulator takes them; `traceFile` is where its trace was written.
 *
 * @param marking whether its queue marks what has ECN instead of dropping it, and hands over marked datagrams joined
 */
export function directionSettings(
  direction: DirectionSpec,
  trace: Trace | null,
  traceFile: string,
  marking: Marking = 'none',
): string {
  const { rateMbps, queueBytes, lossPercent, gilbertElliott, delayMs, jitterMs, reorderPercent } = direction;
  const settings: [string, string | number][] = [
    ['delay', Math.round(delayMs * nsPerMs)],
    ['jitter', Math.round(jitterMs * nsPerMs)],
    ['reorder', reorderPercent / 100],
    ['queue', queueBytes ?? 0],
    ['rate', (rateMbps ?? 0) * 1e6],
    ['loss', (gilbertElliott?.lossInGoodPercent ?? lossPercent) / 100],
  ];
  if (direction.queue !== undefined) settings.push(['aqm', direction.queue]);
  if (marking !== 'none') settings.push(['marks', 1]);
  if (marking === 'joined') settings.push(['joins-marked', 1]);
  if (direction.duplicatePercent !== undefined)
    settings.push(['duplicate', direction.duplicatePercent / 100]);
  if (direction.connectDelayMs !== undefined)
    settings.push(['connect-delay', Math.round(direction.connectDelayMs * nsPerMs)]);
  if (gilbertElliott) {
    settings.push(
      ['loss-bad', gilbertElliott.lossInBadPercent / 100],
      ['good-to-bad', gilbertElliott.goodToBadPercent / 100],
      ['bad-to-good', gilbertElliott.badToGoodPercent / 100],
    );
  }
  if (trace) settings.push(['length', Math.round(trace.lengthMs * nsPerMs)], [trace.kind, traceFile]);
  return settings.map(([name, value]) => `${name}=${value}`).join(',');
}

/** Writes the direction's trace, if it has one, and gives its settings. */
export async function prepareDirection(
  direction: DirectionSpec,
  trace: Trace | null,
  traceFile: string,
  marking: Marking,
): Promise<string> {
  if (trace) await writeFile(traceFile, traceText(trace));
  return directionSettings(direction, trace, traceFile, marking);
}
