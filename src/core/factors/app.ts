import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

export const app = defineFactor({
  id: 'app',
  title: 'build of the app',
  example: 'baseline, candidate',
  preposition: 'from',
  words: (name) => `the ${name} build`,
  form: oneOf('baseline', 'candidate'),
  ownField: 'app',
  honouredBy: ['run'],
  setBy: 'a command line for each build, which is started for the run',
  provenBy: 'the host of what was loaded, of which each build has its own (HAR)',
  readBack: null,
});
