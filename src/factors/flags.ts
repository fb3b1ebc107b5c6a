import { defineFactor } from './factor.ts';

/** Words for the client's own command line or preferences; which it takes, each client's driver says. */
export const flags = defineFactor({
  id: 'flags',
  title: 'flags',
  example: '--enable-features=A,B',
  form: {
    read: (text) => text.split(/\s+/).filter((word) => word !== ''),
    write: (words: readonly string[]) => words.join(' '),
  },
  freeText: true,
  honouredBy: ['client'],
  setBy: 'switches (Chromium, programs), preferences (Firefox)',
  provenBy: 'nothing: clients do not say which switches took effect',
  readBack: null,
});
