import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allPresets } from '../../../../src/app/presets/registry.ts';
import { projectDir } from '../../../support/source-graph.ts';

/** The texts of the studies are not of this project: they lie beside the checkout where they are at hand. */
const papersDir = join(projectDir, '..', 'shared', 'papers');

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

const studies = allPresets().filter(
  ({ experiment }) => experiment !== undefined && experiment.question === undefined,
);

test('every published result of the four studies has the words that its text has', () => {
  const entries = studies.flatMap(({ plan }) => plan.published ?? []);
  assert.ok(entries.length > 80, `${entries.length} results`);
  for (const { experiment, quote, source } of entries)
    assert.ok(quote !== undefined || source === 'docs/findings.md', experiment);
});

test('the quoted words stand in the text of their study', (t) => {
  const files = existsSync(papersDir) ? globSync('*.txt', { cwd: papersDir }) : [];
  if (files.length === 0) {
    t.skip(`the texts of the studies are not at hand: ${papersDir}`);
    return;
  }
  const texts = files.map((file) => flat(readFileSync(join(papersDir, file), 'utf8')));
  const absent = studies.flatMap(({ id, plan }) =>
    (plan.published ?? []).flatMap(({ study, quote = [] }) => {
      const title = /^'?[\w ]+et al\., (.{20})/.exec(study)?.[1] ?? study;
      const own = texts.filter((text) => text.includes(title));
      assert.ok(own.length > 0, `no text of "${title}"`);
      return quote
        .filter((words) => !own.some((text) => text.includes(flat(words))))
        .map((words) => `${id}: ${words}`);
    }),
  );
  assert.deepEqual(absent, []);
});

/** Numbers of a text: `744 000` and `744K`, `1.9ms`. */
function numbersIn(text: string): Set<number> {
  const found = [...text.matchAll(/(\d[\d,]*(?:\.\d+)?)\s?(K\b)?/g)];
  return new Set(
    found.map(
      ([, digits = '', thousand]) => Number(digits.replaceAll(',', '')) * (thousand === undefined ? 1 : 1000),
    ),
  );
}

test('numbers of figures are those of the text', (t) => {
  const files = existsSync(papersDir) ? globSync('*.txt', { cwd: papersDir }) : [];
  if (files.length === 0) {
    t.skip(`the texts of the studies are not at hand: ${papersDir}`);
    return;
  }
  const numbers = numbersIn(files.map((file) => readFileSync(join(papersDir, file), 'utf8')).join(' '));
  const absent = studies.flatMap(({ id, experiment }) =>
    (experiment?.figures ?? []).flatMap(({ place, kind, per, published }) =>
      published.flatMap(({ x, value }) =>
        // Ranges are means and deviations, or what a bound leaves. A ratio of 1.03 is 3 % more.
        typeof value !== 'number' ||
        numbers.has(value) ||
        numbers.has(value * per) ||
        (kind === 'ratios' && numbers.has(Number(((value - 1) * 100).toFixed(6))))
          ? []
          : [`${id}, ${place}, ${x}: ${value}`],
      ),
    ),
  );
  assert.deepEqual(absent, []);
});
