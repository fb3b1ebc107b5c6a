import { defineFactor } from './factor.ts';
import { inWords, oneOf, wholeNumberIn } from './forms.ts';

/** HTTP/2 goes through a proxy, HTTP/3 does not, and the trials would be of two ways. */
const setsProxy = /^(?:-x$|--(?:pre|https?-)?proxy\b|--socks|network\.proxy\.)/;

/** `network.http.happy_eyeballs_enabled=true`: the path to a preference, which says nothing to readers. */
const preferencePath = /(?<=^|\s)(?:\w+\.)+(?=[\w-]+=)/g;

/** Words for the client's own command line or preferences; which it takes, each client's driver says. */
export const flags = defineFactor({
  id: 'flags',
  title: 'flags',
  example: '--enable-features=A,B',
  words: (text) => `flags ${text.replaceAll(preferencePath, '')}`,
  form: {
    read: (text) => {
      const words = text.split(/\s+/).filter((word) => word !== '');
      return words.some((word) => setsProxy.test(word)) ? undefined : words;
    },
    words: 'any words for the client, but none that sets a proxy: HTTP/3 would not go through it',
    write: (words: readonly string[]) => words.join(' '),
  },
  freeText: true,
  appliedBy: ['client'],
  setBy: 'switches (Chromium, programs), preferences (Firefox)',
  provenBy: 'nothing: clients do not say which switches took effect',
  readBack: null,
});

const minCpuPercent = 5;

const maxCpuPercent = 99_999;

/** A share of one CPU for all processes of the client together; more than 100 % is of several. */
export const cpu = defineFactor({
  id: 'cpu',
  title: 'CPU share',
  example: '50%, 25%',
  unsetLabel: 'whole CPUs',
  form: {
    words: `a share of one CPU from ${minCpuPercent}% on, such as 50%`,
    read: (text) => {
      const percent = wholeNumberIn(text, '%');
      if (percent === undefined || percent < minCpuPercent || percent > maxCpuPercent) return undefined;
      return { percent };
    },
    write: ({ percent }: { readonly percent: number }) => `${percent}%`,
  },
  appliedBy: ['client'],
  setBy: 'a control group’s quota, period 20 ms',
  provenBy: 'the quota, and the time without a CPU',
  readBack: 'cpuShare.quotaMs',
});

/** How many CPUs all processes of the client may use; null: every one of the machine, also those of the server. */
export const cpus = defineFactor({
  id: 'cpus',
  title: 'CPUs of the client',
  example: 'all, 1, 2',
  unsetLabel: 'the CPUs that the server does not have',
  words: (text) => (text === 'all' ? 'every CPU' : `${text} ${text === '1' ? 'CPU' : 'CPUs'}`),
  form: {
    words: 'all, also those that servers run on, or a number of CPUs',
    read: (text) => {
      if (text === 'all') return { count: null };
      const count = wholeNumberIn(text);
      return count === undefined || count < 1 ? undefined : { count };
    },
    write: ({ count }: { readonly count: number | null }) => (count === null ? 'all' : String(count)),
  },
  appliedBy: ['run'],
  hints: { client: (asked: { readonly count: number | null }) => asked },
  setBy: '`taskset`',
  provenBy: 'the CPUs that the client’s first process may use',
  readBack: 'clientCpus.had',
});

/** A media feature of CSS, such as `prefers-color-scheme`, and its value. */
export interface MediaFeature {
  readonly name: string;
  readonly value: string;
}

const mediaFeatures: Readonly<Record<string, readonly string[]>> = {
  'color-scheme': ['dark', 'light'],
  'reduced-motion': ['reduce'],
};

const mediaPrefix = 'prefers-';

/** What a page's `@media (prefers-…)` finds: each feature once. */
function readPreferences(text: string): readonly MediaFeature[] | undefined {
  const features: MediaFeature[] = [];
  for (const part of text.split('/')) {
    const [name = '', value = '', ...rest] = part.split(':');
    const known = Object.hasOwn(mediaFeatures, name) && mediaFeatures[name]?.includes(value) === true;
    const again = features.some((feature) => feature.name === mediaPrefix + name);
    if (!known || again || rest.length > 0) return undefined;
    features.push({ name: mediaPrefix + name, value });
  }
  return features;
}

/** `a dark color scheme and reduced motion`. */
function preferencesInWords(text: string): string {
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
  words: preferencesInWords,
  form: {
    words: 'color-scheme:dark, color-scheme:light or reduced-motion:reduce, several joined by /',
    read: readPreferences,
    write: (features: readonly MediaFeature[]) =>
      features.map(({ name, value }) => `${name.slice(mediaPrefix.length)}:${value}`).join('/'),
  },
  appliedBy: ['client'],
  setBy: 'emulated media (Chromium), preferences (Firefox)',
  provenBy: 'nothing: only a script in the page could ask',
  readBack: null,
});

/** Each request is made by a process of its own. */
export const processes = defineFactor({
  id: 'processes',
  title: 'a process for',
  example: 'each',
  unsetLabel: 'one process for all requests',
  form: inWords('each (left out: one for all requests)', oneOf('each')),
  appliedBy: ['client'],
  setBy: 'command-line clients: a process for each request',
  provenBy: 'every request in the server’s log',
  readBack: 'serverLog.path',
});
