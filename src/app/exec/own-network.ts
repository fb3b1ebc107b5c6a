import { resolve } from 'node:path';
import { durationIn } from '../../core/factors/forms.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { networkSpecSchema, type NetworkSpec } from '../../core/model/network-spec.ts';
import { minRateMbps } from '../../core/model/schedule-course.ts';
import type { OwnNetwork } from './link-types.ts';

/** What such a network is called. */
export const ownNetworkName = 'own';

const perMegabit: Readonly<Record<string, number>> = { k: 0.001, m: 1, g: 1000 };
/** A queue holds what its link sends in this time, as home routers' do, and 32 packets at least. */
const queueMs = 100;
const minQueueBytes = 32 * 1500;

function wrongFigure(option: string, text: string, expected: string): H2h3Error {
  return new H2h3Error('usage', `--${option} wants ${expected}, got "${text}"`);
}

/** `10mbit`, `800kbit`, `1.5gbit/s` in Mbit/s; null where nothing is typed. */
function rateOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, number = '', prefix = ''] = /^(\d+(?:\.\d+)?)([kmg])bit(?:\/s|ps)?$/i.exec(text) ?? [];
  const factor = perMegabit[prefix.toLowerCase()];
  if (factor === undefined) throw wrongFigure(option, text, 'a rate such as 10mbit or 800kbit');
  return Number(number) * factor;
}

function delayOf(text = '0ms'): number {
  const ms = durationIn(text);
  if (ms === undefined) throw wrongFigure('rtt', text, 'a time such as 80ms or 0.6s');
  return ms / 2;
}

function lossOf(text = '0%'): number {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (percent === undefined) throw wrongFigure('loss', text, 'a share of packets such as 1%');
  return Number(percent);
}

/** Whether any figure was typed. */
export function isOwnNetwork(figures: OwnNetwork): boolean {
  const { down, up, rtt, loss, schedule } = figures;
  return [down, up, rtt, loss, schedule].some((figure) => figure !== undefined);
}

/** @throws H2h3Error `usage` for a figure of another form, or one that no path can have */
export function ownNetwork({ down, up, rtt, loss, schedule }: OwnNetwork): NetworkSpec {
  const direction = (rateMbps: number | null): Record<string, unknown> => ({
    rateMbps,
    queueBytes: rateMbps === null ? null : Math.max(minQueueBytes, Math.round(rateMbps * 125 * queueMs)),
    delayMs: delayOf(rtt),
    lossPercent: lossOf(loss),
    ...(schedule === undefined ? {} : { scheduleFile: resolve(schedule) }),
  });
  const parsed = networkSpecSchema.safeParse({
    id: ownNetworkName,
    title: 'A network by its figures',
    source: 'the command line',
    up: direction(rateOf('up', up)),
    down: direction(rateOf('down', down)),
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new H2h3Error('usage', `no path can be so: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`, {
    next: `Rates go from ${minRateMbps * 1000}kbit to 10gbit, round trips to 120s, loss to 100%. What is under way at once has its limit too.`,
  });
}
