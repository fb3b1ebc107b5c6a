import { messageTransports, type MessageTransport } from '../model/message-transport.ts';
import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

const names: Readonly<Record<MessageTransport, string>> = {
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
  words: (text) => names[text as MessageTransport],
  form: oneOf(...messageTransports),
  honouredBy: ['client', 'workload'],
  unable: 'exchanges no messages',
  setBy: 'a WebSocket, or a WebTransport session: one stream, a stream each, datagrams',
  provenBy: 'counts of the server and of the link',
  readBack: 'serverLog.messages',
});
