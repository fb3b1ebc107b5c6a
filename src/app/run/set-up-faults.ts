import type { TrialOutcome } from '../../../harness/trial/runner.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { PlannedTrial } from '../../model/plan.ts';

interface WarmUp {
  readonly client: string;
  /** Why no browser ran; null when one did. */
  readonly reason: string | null;
  readonly isOfBrowser: boolean;
}

/**
 * What keeps trials from being measured at all, as the warm-ups find it: a path that does not come up, a browser that
 * does not start. What fails in every one of them would fail in every trial for the same reason.
 */
export class SetUpFaults {
  readonly #warmUps: WarmUp[] = [];

  note({ client }: Pick<PlannedTrial, 'client'>, outcome: TrialOutcome): void {
    if (outcome.kind === 'not-measured') {
      this.#warmUps.push({ client, reason: outcome.reason, isOfBrowser: false });
      return;
    }
    const { browser, error } = outcome.raw;
    const reason = browser === null && error !== undefined ? error.message : null;
    this.#warmUps.push({ client, reason, isOfBrowser: true });
  }

  /** @throws H2h3Error `unsupported` with every reason when not one warm-up came as far as a browser that runs. */
  throwIfNothingWorks(): void {
    const reasons = reasonsOf(this.#warmUps);
    if (reasons === null) return;
    const [first = '', ...others] = reasons;
    throw new H2h3Error('unsupported', `nothing can be measured here: ${first}`, {
      context: others.length > 0 ? { also: others.join('; ') } : {},
      next: 'Mend that first; `npx h2h3 doctor` says what is missing here.',
    });
  }

  /** Clients that started in not one of their warm-ups, with what they said. */
  clientsThatDoNotStart(): ReadonlyMap<string, H2h3Error> {
    const broken = new Map<string, H2h3Error>();
    for (const name of new Set(this.#warmUps.map(({ client }) => client))) {
      const own = this.#warmUps.filter(({ client, isOfBrowser }) => client === name && isOfBrowser);
      const [reason] = reasonsOf(own) ?? [];
      if (reason !== undefined) broken.set(name, new H2h3Error('unsupported', reason));
    }
    return broken;
  }
}

/** Each reason once; null when at least one of them has none. */
function reasonsOf(warmUps: readonly WarmUp[]): readonly string[] | null {
  const reasons = warmUps.flatMap(({ reason }) => reason ?? []);
  return reasons.length === 0 || reasons.length < warmUps.length ? null : [...new Set(reasons)];
}
