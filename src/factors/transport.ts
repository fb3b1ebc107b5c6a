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
  whenOpen: 'no transport of messages',
  joint: 'by',
  words: (text) => names[text as MessageTransport],
  form: oneOf(...messageTransports),
  honouredBy: ['client', 'workload'],
  unable: 'exchanges no messages',
  setBy:
    'the page opens a WebSocket, or a WebTransport session and sends on one stream, on a stream each, or as datagrams',
  provenBy: 'messages, streams and datagrams as the server counted them in the session; the link’s counters',
  readBack: 'serverLog.messages',
});
