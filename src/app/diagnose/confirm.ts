import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { interventions } from '../../analyse/diagnosis/interventions.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import type { Summary } from '../../core/model/summary.ts';
import { createRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { formatDuration } from '../duration.ts';
import { givenPath } from '../given-path.ts';
import { thisMachine } from '../preflight/machine-facts.ts';
import { judgePlan } from '../preflight/preflight.ts';
import { writeReports, writeSummary } from '../report/publish.ts';
import { resume } from '../run/run.ts';
import { shellWord } from '../../core/model/command-words.ts';
import { proposedExperiments, type ProposedExperiment } from '../explain/propose.ts';

/** What could be tried to confirm a cause, for people: a line for each experiment that was not made yet. */
export function proposalLines(directory: RunDirectory, summary: Summary): string[] {
  const open = proposedExperiments(directory, summary).filter(({ isDone }) => !isDone);
  if (open.length === 0) return [];
  const place = shellWord(givenPath(directory.path));
  return [
    'Experiments that would confirm or refute a cause, each with both arms as they were and changed, in paired blocks:',
    ...open.map(
      ({ intervention, setting, expectedMs }) =>
        `  ${intervention.title} (${setting}), about ${formatDuration(expectedMs)}:  npx h2h3 diagnose ${place} --confirm ${intervention.id}`,
    ),
  ];
}

/**
 * Carries out experiments, all that are proposed or those named, and writes summary and reports anew. What was finished is
 * not measured again. One that a client or a server cannot do says why and does not keep the others.
 *
 * @throws H2h3Error `usage` for a name that is none; otherwise as `resume`
 */
export async function confirmDiagnosis(
  directory: RunDirectory,
  summary: Summary,
  names: readonly string[] | 'all',
  context: AppContext,
): Promise<Summary> {
  requireNames(names);
  const proposed = proposedExperiments(directory, summary).filter(
    ({ intervention }) => names === 'all' || names.includes(intervention.id),
  );
  if (proposed.length === 0)
    context.progress.say('no experiment of this kind applies to what the run found, so nothing is measured');
  const setup = await setupContextOf(context);
  for (const experiment of proposed.filter(({ isDone }) => !isDone)) {
    const { intervention, setting, expectedMs } = experiment;
    context.progress.say(`${intervention.title} (${setting}): about ${formatDuration(expectedMs)}`);
    const blocker = await blockerOf(experiment, setup);
    if (blocker === null) await resume(experiment.folder, {}, context);
    else context.progress.say(`unsupported: ${blocker}`);
  }
  const explained = writeSummary(directory);
  printUnknownCauses(proposed, explained, context);
  await writeReports(directory, explained, (line) => context.progress.say(line));
  return explained;
}

/** An experiment may have lost too many of its trials to say anything. */
function printUnknownCauses(
  experiments: readonly ProposedExperiment[],
  { diagnosis = [] }: Summary,
  context: AppContext,
): void {
  const judged = diagnosis.flatMap(({ parts }) =>
    parts.flatMap(({ interventions: results = [] }) => results),
  );
  for (const { intervention, folder } of experiments)
    if (existsSync(join(folder, 'journal.jsonl')) && !judged.some(({ id }) => id === intervention.id))
      context.progress.say(
        `${intervention.title}: too few blocks in which every arm has a valid trial, so it says nothing: ${givenPath(folder)}`,
      );
}

function requireNames(names: readonly string[] | 'all'): void {
  if (names === 'all') return;
  const known = interventions.map(({ id }) => id);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw new H2h3Error('usage', `there is no experiment "${wrong}"`, {
    context: { expected: known.join(', '), got: wrong },
    next: didYouMean(wrong, known),
  });
}

/** Makes the folder of the experiment; why it cannot be carried out here, otherwise. */
async function blockerOf({ plan, folder }: ProposedExperiment, setup: SetupContext): Promise<string | null> {
  if (existsSync(join(folder, 'plan.json'))) return null;
  const { blockers } = await judgePlan(plan, await thisMachine(setup).gather(plan, true));
  // An experiment of which some trials cannot be measured confirms nothing.
  const hindering = blockers.filter(({ trialIds }) => trialIds?.length !== 0);
  if (hindering.length > 0) return hindering.map(({ reason }) => reason).join('; ');
  createRunDirectory(folder, plan, { latest: false });
  return null;
}
