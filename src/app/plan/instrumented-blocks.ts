import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { askedForInstrumentation } from '../../../harness/probes/selection.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { InstrumentedBlocks } from '../../core/model/instrumentation.ts';

/** `--recorded 2`, `--recorded all`. @throws H2h3Error `usage` */
export function parseInstrumentedBlocks(text: string): InstrumentedBlocks {
  if (text === 'all') return text;
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new H2h3Error('usage', `--recorded wants a number of blocks or all, got "${text}"`, {
    next: '--recorded 0 records none, --recorded all records a trial of each arm in every block.',
  });
}

/** Whether trials of a client leave more when they are recorded: a program without a browser only what a probe is asked for. */
export function isInstrumented(client: string, asked: readonly string[]): boolean {
  return commandClientNamed(client) === undefined || askedForInstrumentation(asked).length > 0;
}
