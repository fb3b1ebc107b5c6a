import { type MessageTransport, messageTransports } from '../model/message-transport.ts';
import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

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
  words: playerInWords,
  form: {
    words: `${playerIds.join(', ')}, with @ and a version where not the newest is meant`,
    read: (text) => (playerForm.test(text) ? text : undefined),
    write: (text: string) => text,
  },
  appliedBy: ['player'],
  unable:
    'has no other player: name a video that is played by the rule own and is no broadcast, such as video-streaming-2s-own, or for moqwatch video-clock-1s-own-live',
  setBy: 'the player’s script in the page',
  provenBy: 'the version that it reports',
  readBack: 'session.player.version',
});

/** `hls.js 1`, `dash.js`. */
function playerInWords(text: string): string {
  const [id = '', version] = text.split('@');
  return [(playerNames as Readonly<Record<string, string>>)[id] ?? id, version].filter(Boolean).join(' ');
}

const transportNames: Readonly<Record<MessageTransport, string>> = {
  websocket: 'WebSocket',
  'wt-stream': 'one WebTransport stream',
  'wt-streams': 'a WebTransport stream each',
  'wt-datagrams': 'WebTransport datagrams',
};

/** What the messages of a page travel by. */
export const transport = defineFactor({
  id: 'transport',
  title: 'transport of messages',
  example: 'websocket, wt-stream, wt-streams, wt-datagrams',
  unsetLabel: 'no transport of messages',
  preposition: 'by',
  words: (text) => transportNames[text as MessageTransport],
  form: oneOf(...messageTransports),
  appliedBy: ['client', 'workload'],
  unable: 'exchanges no messages',
  setBy: 'a WebSocket, or a WebTransport session: one stream, a stream each, datagrams',
  provenBy: 'counts of the server and of the link',
  readBack: 'serverLog.messages',
});
