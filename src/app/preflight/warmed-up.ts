import { failureScreenshotFile } from '../../core/model/journey-failure.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import { hasDisplay } from '../../core/system/display.ts';
import { check, type Blocker } from './check.ts';
import type { WarmUp } from './facts.ts';

/** What fails in every warm-up would fail in every trial for the same reason. */
export const warmedUp = check('warmed-up', ['warmUps'], (plan, { warmUps }) => {
  const faults = [...new Set(warmUps.flatMap(({ fault }) => fault ?? []))];
  if (warmUps.length > 0 && warmUps.every(({ fault }) => fault !== null))
    return [
      warmUps.some(({ reached }) => reached === 'client')
        ? nothingLoads(faults, warmUps)
        : nothingStarts(faults),
    ];
  return [...clientsThatDoNotStart(plan, warmUps), ...pathsThatCannotBe(plan, warmUps), ...failures(warmUps)];
});

function nothingStarts([first = '', ...others]: readonly string[]): Blocker {
  return {
    code: 'unsupported',
    reason: `nothing can be measured here: ${first}`,
    context: others.length > 0 ? { also: others.join('; ') } : {},
    next: 'Fix that first; `npx h2h3 doctor` says what is missing here.',
  };
}

function nothingLoads([first = '', ...others]: readonly string[], warmUps: readonly WarmUp[]): Blocker {
  const seenIn = warmUps.map((warmUp) => warmUp.seenIn).find((folder) => folder !== undefined);
  const pictured =
    seenIn === undefined
      ? ''
      : ` ${seenIn} has the page as it was then (${failureScreenshotFile}), and its console.`;
  return {
    code: 'process-failed',
    reason: `every discarded warm-up failed, so every trial would: ${first}`,
    context: others.length > 0 ? { also: others.join('; ') } : {},
    next: `Look at what is loaded and at its server${hasDisplay() ? '; --headed shows the browser' : ''}.${pictured}`,
  };
}

/** Clients that started in not one of their warm-ups, with what they said. */
export function brokenClients(warmUps: readonly WarmUp[]): ReadonlyMap<string, H2h3Error> {
  const ofClients = Map.groupBy(
    warmUps.filter(({ reached }) => reached !== 'nothing'),
    ({ trial }) => trial.client,
  );
  return new Map(
    [...ofClients].flatMap(([client, own]) => {
      const fault = own.every(({ reached }) => reached === 'path') ? (own[0]?.fault ?? null) : null;
      return fault === null ? [] : [[client, new H2h3Error('unsupported', fault)] as const];
    }),
  );
}

function clientsThatDoNotStart({ trials }: Plan, warmUps: readonly WarmUp[]): Blocker[] {
  return [...brokenClients(warmUps)].map(([client, { message }]) => ({
    code: 'unsupported',
    reason: `${client} does not start (${message})`,
    trialIds: trials.filter((trial) => trial.client === client).map(({ trialId }) => trialId),
  }));
}

/** A path that cannot be had is not tried again. */
function pathsThatCannotBe({ trials }: Plan, warmUps: readonly WarmUp[]): Blocker[] {
  const closed = warmUps.filter(({ reached, isUnsupported }) => reached === 'nothing' && isUnsupported);
  return closed.map(({ trial: { client, network, server, arm }, fault }) => ({
    code: 'unsupported',
    reason: fault ?? '',
    trialIds: trials
      .filter(
        (trial) =>
          trial.client === client &&
          trial.network === network &&
          trial.server === server &&
          trial.arm === arm,
      )
      .map(({ trialId }) => trialId),
  }));
}

/** What may go better in the trials. */
function failures(warmUps: readonly WarmUp[]): Blocker[] {
  return warmUps.flatMap(({ trial: { client, arm }, fault }): Blocker[] =>
    fault === null
      ? []
      : [
          {
            code: 'process-failed',
            reason: `the discarded warm-up of ${client} ${arm} failed: ${fault}`,
            trialIds: [],
          },
        ],
  );
}
