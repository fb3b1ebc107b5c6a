import { defineFactor } from './factor.ts';

/** A media feature of CSS, such as `prefers-color-scheme`, and its value. */
export interface MediaFeature {
  readonly name: string;
  readonly value: string;
}

const values: Readonly<Record<string, readonly string[]>> = {
  'color-scheme': ['dark', 'light'],
  'reduced-motion': ['reduce'],
};

const prefix = 'prefers-';

/** What a page's `@media (prefers-…)` finds: each feature once. */
function read(text: string): readonly MediaFeature[] | undefined {
  const features: MediaFeature[] = [];
  for (const part of text.split('/')) {
    const [name = '', value = '', ...rest] = part.split(':');
    const known = Object.hasOwn(values, name) && values[name]?.includes(value) === true;
    const again = features.some((feature) => feature.name === prefix + name);
    if (!known || again || rest.length > 0) return undefined;
    features.push({ name: prefix + name, value });
  }
  return features;
}

/** `a dark color scheme and reduced motion`. */
function wordsOf(text: string): string {
  const words = text.split('/').map((part) => {
    const [name, value = ''] = part.split(':');
    return name === 'color-scheme' ? `a ${value} color scheme` : 'reduced motion';
  });
  return words.join(' and ');
}

export const prefers = defineFactor({
  id: 'prefers',
  title: 'preference',
  example: 'color-scheme:dark, reduced-motion:reduce',
  unsetLabel: 'no preference of the user',
  words: wordsOf,
  form: {
    words: 'color-scheme:dark, color-scheme:light or reduced-motion:reduce, several joined by /',
    read,
    write: (features: readonly MediaFeature[]) =>
      features.map(({ name, value }) => `${name.slice(prefix.length)}:${value}`).join('/'),
  },
  honouredBy: ['client'],
  setBy: 'emulated media (Chromium), preferences (Firefox)',
  provenBy: 'nothing: only a script in the page could ask',
  readBack: null,
});
