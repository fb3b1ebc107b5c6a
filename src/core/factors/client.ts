import { ownEntry } from '../model/own-entry.ts';
import { defineFactor } from './factor.ts';
import { anyText } from './forms.ts';

/** Names of clients that their ids alone do not tell. */
const products: Readonly<Record<string, string>> = {
  chrome: 'Google Chrome',
  chromium: 'Chromium',
  edge: 'Microsoft Edge',
  opera: 'Opera',
  firefox: 'Firefox',
};

/** The client behind an id, as far as the id alone tells: `chromium@153` is Chromium 153. */
function clientName(id: string): string {
  if (/[/\\]/.test(id)) return id;
  const [product = '', version] = id.split('@');
  const name = ownEntry(products, product) ?? (version === undefined ? undefined : product);
  if (name === undefined) return id;
  return version === undefined ? name : `${name} ${version}`;
}

export const client = defineFactor({
  id: 'client',
  title: 'client',
  example: 'chromium@153, firefox, curl',
  preposition: 'in',
  words: clientName,
  form: anyText,
  ownField: 'clients',
  honouredBy: ['run'],
  setBy: 'another driver, version or build',
  provenBy: 'the version that it reports',
  readBack: 'browser.version',
});
