import type { Timeline } from '../../../src/core/model/timeline.ts';
import { pageModule } from '../../../src/core/system/module-file.ts';

/**
 * An expression that calls `functionName` of the page code `page/<file>` with `values` (JSON) and with the
 * script's own scope around it, so that nothing is left in the page. Of several files the later may use the earlier.
 */
export function pageExpression(
  files: string | readonly string[],
  functionName: string,
  ...values: readonly unknown[]
): string {
  const sources = [files].flat().map((file) => pageModule(`./page/${file}`, import.meta.url));
  const script = sources
    .join('\n')
    .replaceAll(/^export /gm, '')
    .replaceAll(/^import .*$/gm, '');
  return `(() => { ${script}\nreturn ${functionName}(${values.map((value) => JSON.stringify(value)).join(', ')}); })()`;
}

/** Evaluates to the page's timings (`pageTimingsSchema`), or null where the page has no navigation entry. */
export const pageTimingsExpression = pageExpression('page-timings.ts', 'readPageTimings');

/**
 * Evaluates to a promise of the session's results as a string of JSON. Modules of the page may define
 * `h2h3Session` a moment after the load event, so it is waited for.
 */
export const sessionExpression = pageExpression('session-result.ts', 'sessionResult');

/** Evaluates to the session's results up to now as a string of JSON, or null where the page offers none. */
export const sessionSoFarExpression = pageExpression('session-so-far.ts', 'sessionSoFar');

/** Evaluates to what Resource Timing kept of every object of the main frame (`timelineEntrySchema`). */
export const resourceTimingsExpression = pageExpression('timeline.ts', 'readEntries');

/** Evaluates to a promise of the timeline of a document or worker (`timelineSchema`) as a string of JSON. */
export const timelineExpression = (scope: Timeline['scope']): string =>
  pageExpression('timeline.ts', 'readTimeline', scope);

/** To be evaluated in every new document before its own scripts: keeps what a step of a journey is measured by. */
export const journeyRecorderExpression = pageExpression('journey-recorder.ts', 'startJourneyRecorder');

/** Evaluates to where the page is when a step begins. */
export const markStepExpression = pageExpression('journey-step.ts', 'markStep');

/** Evaluates to the page's address and every text that it shows, as JSON. */
export const shownTextsExpression = pageExpression('shown-texts.ts', 'readShownTexts');

/** Evaluates to whether the texts of these places, and what could not be read, are covered now. */
export const coverTextsExpression = (places: readonly number[]): string =>
  pageExpression('shown-texts.ts', 'coverTexts', places);

/** Evaluates to a promise of what the page did in the step, as JSON, once its load has ended. @param mark as `markStepExpression` gave it */
export function readStepExpression(mark: unknown): string {
  return pageExpression(['timeline.ts', 'page-timings.ts', 'journey-step.ts'], 'readStep', mark);
}
