import { changedProperties, type ChangedProperty } from '../../analyse/senders/changed-properties.ts';
import { minRepeats } from '../../analyse/senders/fingerprint.ts';
import { senderName } from '../../analyse/senders/sender-findings.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import type { Senders } from '../../core/model/senders.ts';
import type { AppContext } from '../app-context.ts';
import { measureSenders } from './senders.ts';

/** By which name `gate --preset` compares how two servers send. */
export const sendersPreset = 'senders';

export interface SendersGateOptions {
  /** As the factor `server` names them, such as `nginx@1.26`. */
  readonly baseline: string | undefined;
  readonly candidate: string | undefined;
  readonly out?: string | undefined;
  /** Exit with 0 where it is not decided. */
  readonly allowUndecided?: boolean | undefined;
}

export interface JudgedSenders {
  readonly senders: Senders;
  readonly pagePath: string;
  /** What the candidate does otherwise than the baseline. */
  readonly changes: readonly ChangedProperty[];
  /** Of the candidate or the baseline: properties that too few trials tell, in words. */
  readonly undecided: readonly string[];
  readonly exitCode: ExitCode;
}

/**
 * Measures two servers in the same blocks, and says which properties of their senders changed.
 *
 * @throws H2h3Error `usage` without two servers; otherwise as `measureSenders`
 */
export async function gateSenders(
  { baseline, candidate, out, allowUndecided }: SendersGateOptions,
  context: AppContext,
): Promise<JudgedSenders> {
  if (baseline === undefined || candidate === undefined || baseline === candidate)
    throw new H2h3Error('usage', `--preset ${sendersPreset} compares two servers`, {
      next: 'Name them, such as --baseline nginx@1.26 --candidate nginx@1.30.',
    });
  const request = { servers: [baseline, candidate], client: 'best', repeats: minRepeats, all: false, out };
  const { senders, pagePath, exitCode } = await measureSenders(request, context);
  const { changes, undecided } = judgeSenders(senders, baseline, candidate);
  const judged =
    undecided.length > 0 && allowUndecided !== true && exitCode === exitCodes.ok
      ? exitCodes.undecided
      : exitCode;
  return {
    senders,
    pagePath,
    changes,
    undecided,
    exitCode: changes.some(({ isWorse }) => isWorse) ? exitCodes.gateWorse : judged,
  };
}

/** What changed from one server of a measurement to another, and what cannot be said. */
export function judgeSenders(
  { senders, properties }: Pick<Senders, 'senders' | 'properties'>,
  baseline: string,
  candidate: string,
): Pick<JudgedSenders, 'changes' | 'undecided'> {
  const before = senders.filter(({ server }) => server === baseline);
  const now = senders.filter(({ server }) => server === candidate);
  // Also two that are not versions of one software are compared.
  const asCandidate = before.map((sender) => ({ ...sender, server: candidate }));
  const titles = new Map(properties.map(({ id, title }) => [id, title]));
  return {
    changes: changedProperties({ senders: asCandidate }, { senders: now }),
    undecided: [...before, ...now].flatMap((sender) =>
      sender.properties.flatMap(({ property, interval }) =>
        interval === null ? [`${senderName(sender)}: ${titles.get(property) ?? property}`] : [],
      ),
    ),
  };
}
