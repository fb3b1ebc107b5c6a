import { defineFactor } from './factor.ts';

/** Players of video by the names that arms give them, and the first numbers of the versions that our page can play with. */
export const playerMajors = { dashjs: [4, 5], hlsjs: [1], shaka: [4, 5], moqwatch: [0] } as const;

/** Their names for people. */
export const playerNames = {
  dashjs: 'dash.js',
  hlsjs: 'hls.js',
  shaka: 'Shaka Player',
  moqwatch: '@moq/watch',
} as const satisfies Record<keyof typeof playerMajors, string>;

const playerIds = Object.keys(playerMajors);

const playerForm = new RegExp(`^(?:${playerIds.join('|')})(?:@(?:latest|\\d+(?:\\.\\d+)*))?$`);

export const player = defineFactor({
  id: 'player',
  title: 'player',
  example: 'dashjs@4, dashjs@5, hlsjs, shaka, moqwatch',
  unsetLabel: 'the packaged dash.js',
  preposition: 'played by',
  words: inWords,
  form: {
    words: `${playerIds.join(', ')}, with @ and a version where not the newest is meant`,
    read: (text) => (playerForm.test(text) ? text : undefined),
    write: (text: string) => text,
  },
  honouredBy: ['player'],
  unable:
    'has no other player: name a video that is played by the rule own and is no broadcast, such as video-streaming-2s-own, or for moqwatch video-clock-1s-own-live',
  setBy: 'the player’s script in the page',
  provenBy: 'the version that it reports',
  readBack: 'session.player.version',
});

/** `hls.js 1`, `dash.js`. */
function inWords(text: string): string {
  const [id = '', version] = text.split('@');
  return [(playerNames as Readonly<Record<string, string>>)[id] ?? id, version].filter(Boolean).join(' ');
}
