import { defineFactor } from './factor.ts';
import { anyText } from './forms.ts';

export const url = defineFactor({
  id: 'url',
  title: 'address',
  example: 'https://staging.example/, https://www.example/',
  preposition: 'from',
  form: anyText,
  freeText: true,
  ownField: 'urls',
  honouredBy: ['run'],
  setBy: 'an address of the arm’s own',
  provenBy: 'the addresses of what was loaded (HAR)',
  readBack: null,
});
