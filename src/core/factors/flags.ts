import { defineFactor } from './factor.ts';

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
  honouredBy: ['client'],
  setBy: 'switches (Chromium, programs), preferences (Firefox)',
  provenBy: 'nothing: clients do not say which switches took effect',
  readBack: null,
});
