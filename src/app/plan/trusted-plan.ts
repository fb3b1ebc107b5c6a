import { H2h3Error } from '../../core/model/errors.ts';
import { readOutsidePlan, shortValue, type ActingField, type OutsidePlan } from '../../plan/outside-plan.ts';

/** Asks the user whether a plan of somebody else may do this. */
export type AskTrust = (act: ActingField) => Promise<boolean>;

/** `live.login ("/tmp/log-in.ts") runs a script`, with all that the field holds. */
export function actWords({ field, value, does }: ActingField): string {
  return `${field} ${value === undefined ? '' : `(${value}) `}${does}`;
}

const shortActWords = (act: ActingField): string =>
  actWords(act.value === undefined ? act : { ...act, value: shortValue(act.value) });

const shownActs = 8;

/** What a plan does besides measuring, cut where it is long. */
export function actsInWords(acts: readonly ActingField[]): string {
  const more = acts.length > shownActs ? [`${acts.length - shownActs} more`] : [];
  return [...acts.slice(0, shownActs).map(shortActWords), ...more].join('; ');
}

/**
 * Lets a plan of somebody else pass only where it acts on nothing by itself, or where the user allows each of its acts.
 *
 * @param from what the plan came in, for the error
 * @param ask absent: nothing is allowed
 * @throws H2h3Error `bad-input` that names the fields that act
 */
export async function requireTrusted(
  { acts }: Pick<OutsidePlan, 'acts'>,
  from: string,
  ask: AskTrust | undefined,
): Promise<void> {
  const refused: ActingField[] = [];
  for (const act of acts) {
    if (ask === undefined || !(await ask(act))) refused.push(act);
    if (ask !== undefined && refused.length > 0) break;
  }
  if (refused.length === 0) return;
  throw new H2h3Error('bad-input', `the plan of ${from} does more than measure: ${actsInWords(refused)}`, {
    context: { file: from },
    next:
      ask === undefined
        ? 'If you know who made it, `--trust` asks at the terminal before each of these.'
        : 'Nothing of it was carried out.',
  });
}

/** A plan of somebody else that may be carried out. @throws H2h3Error `bad-input` */
export async function trustedPlan(
  raw: unknown,
  from: string,
  ask: AskTrust | undefined,
): Promise<OutsidePlan> {
  const outside = readOutsidePlan(raw, from);
  await requireTrusted(outside, from, ask);
  return outside;
}
