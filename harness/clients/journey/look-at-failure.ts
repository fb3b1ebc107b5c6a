import { z } from 'zod';
import { messageOf } from '../../../src/core/model/errors.ts';
import type { ConsoleLine, JourneyFailure } from '../../../src/core/model/journey-failure.ts';
import { SecretSearch } from '../../../src/core/model/secret-search.ts';
import { cleanerOf } from '../../../src/core/model/secrets.ts';
import { within } from '../browsers/deadline.ts';
import type { JourneyPort } from '../browsers/journey-port.ts';
import { coverTextsExpression, shownTextsExpression } from '../browsers/page-script.ts';

/** A page that is busy with itself answers nothing; what failed is told all the same. */
const answerLimitMs = 3000;
const maxLines = 100;
const maxLineCharacters = 1000;

const shownSchema = z.object({ url: z.string(), texts: z.array(z.string()) });

/** What a script's page showed when the script failed, without the secrets. */
export interface FailureView {
  readonly url: string | null;
  readonly console: readonly ConsoleLine[];
  readonly consoleLeftOut: number;
  /** The viewport as a JPEG, or why there is none. */
  readonly screenshot: Buffer | { readonly why: string };
}

/** As it stands in the trial's record and in its files. */
export interface SeenFailure {
  readonly failure: JourneyFailure;
  readonly screenshot: Buffer | null;
}

/** Looks at the page of a script that has failed: its address, its console and its viewport. Never throws. */
export async function lookAtFailure(port: JourneyPort, secrets: readonly string[]): Promise<FailureView> {
  const clean = cleanerOf(secrets);
  const lines = await answered(port.console(), 'the console of the page').catch(() => []);
  const shown = lines.slice(-maxLines).map(({ level, text }) => ({
    level,
    text: clean(text).slice(0, maxLineCharacters),
  }));
  const picture = await picturedWithout(port, secrets).catch((thrown: unknown) => ({
    url: null,
    screenshot: { why: messageOf(thrown) },
  }));
  return {
    url: picture.url === null ? null : clean(picture.url),
    console: shown,
    consoleLeftOut: lines.length - shown.length,
    screenshot: picture.screenshot,
  };
}

const answered = <T>(work: Promise<T>, what: string): Promise<T> => within(work, answerLimitMs, what);

/** No secret goes to the page: it is told by their places which of its texts are to be covered. */
async function picturedWithout(
  port: JourneyPort,
  secrets: readonly string[],
): Promise<{ readonly url: string; readonly screenshot: Buffer }> {
  const { url, texts } = await textsOf(port);
  if (secrets.length > 0) {
    const covered = placesOfSecrets(texts, secrets);
    const isCovered = await answered(port.evaluate(coverTextsExpression(covered)), 'covering secrets');
    if (isCovered !== true) throw new Error('the page changed while its secrets were covered');
  }
  const screenshot = await answered(port.screenshot(), 'the picture of the page');
  // A page may write again what was covered.
  if (secrets.length > 0 && placesOfSecrets((await textsOf(port)).texts, secrets).length > 0)
    throw new Error('the page wrote a secret again that was covered');
  return { url, screenshot };
}

async function textsOf(port: JourneyPort): Promise<z.infer<typeof shownSchema>> {
  const told = await answered(port.evaluate(shownTextsExpression), 'reading the page');
  return shownSchema.parse(JSON.parse(String(told)));
}

/** Also of a secret that stands in several texts, one after the other. */
export function placesOfSecrets(texts: readonly string[], secrets: readonly string[]): number[] {
  let end = 0;
  const ends = texts.map((text) => (end += text.length));
  const found = [...new SecretSearch(secrets).in(texts.join(''))];
  return texts.flatMap((text, place) => {
    const to = ends[place] ?? 0;
    const from = to - text.length;
    return found.some(({ start, end: last }) => start < to && last > from) ? [place] : [];
  });
}
