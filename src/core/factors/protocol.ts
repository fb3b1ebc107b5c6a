import type { ArmProtocol } from '../model/protocol.ts';
import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** Each protocol as people write it. */
export const protocolNames: Readonly<Record<ArmProtocol, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  auto: 'the browser’s own choice of protocol',
};

export const protocol = defineFactor({
  id: 'protocol',
  title: 'protocol',
  example: 'h2, h3, h1, auto',
  preposition: 'over',
  words: (text) => protocolNames[text as ArmProtocol],
  form: oneOf<ArmProtocol>('h1', 'h2', 'h3', 'auto'),
  ownField: 'arms',
  honouredBy: ['run'],
  setBy: 'the client may speak nothing else',
  provenBy: 'each object at the client and in the server’s log',
  readBack: 'serverLog.protocol',
});
