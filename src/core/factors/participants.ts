import { ownEntry } from '../model/own-entry.ts';
import { chunkDelayIn } from '../model/fault.ts';
import type { ArmProtocol } from '../model/protocol.ts';
import { serverName } from '../model/server-names.ts';
import { defineFactor } from './factor.ts';
import { anyText, namesByHop, oneOf } from './forms.ts';

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
  appliedBy: ['run'],
  setBy: 'the client may speak nothing else',
  provenBy: 'each object at the client and in the server’s log',
  readBack: 'serverLog.protocol',
});

/** Names of clients that their ids alone do not tell. */
const productNames: Readonly<Record<string, string>> = {
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
  const name = ownEntry(productNames, product) ?? (version === undefined ? undefined : product);
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
  appliedBy: ['run'],
  setBy: 'another driver, version or build',
  provenBy: 'the version that it reports',
  readBack: 'browser.version',
});

export const url = defineFactor({
  id: 'url',
  title: 'address',
  example: 'https://staging.example/, https://www.example/',
  preposition: 'from',
  form: anyText,
  freeText: true,
  ownField: 'urls',
  appliedBy: ['run'],
  setBy: 'an address of the arm’s own',
  provenBy: 'the addresses of what was loaded (HAR)',
  readBack: null,
});

export const app = defineFactor({
  id: 'app',
  title: 'build of the app',
  example: 'baseline, candidate',
  preposition: 'from',
  words: (name) => `the ${name} build`,
  form: oneOf('baseline', 'candidate'),
  ownField: 'app',
  appliedBy: ['run'],
  setBy: 'a command line for each build, which is started for the run',
  provenBy: 'the host of what was loaded, of which each build has its own (HAR)',
  readBack: null,
});

export const server = defineFactor({
  id: 'server',
  title: 'server',
  example: 'caddy, nginx, nginx@1.30',
  preposition: 'from',
  words: serverName,
  form: anyText,
  ownField: 'servers',
  appliedBy: ['run'],
  setBy: 'another origin',
  provenBy: 'the name and version that answered',
  readBack: 'testbed.server.version',
});

/** Proxies between client and server, from the client on. */
export const proxy = defineFactor({
  id: 'proxy',
  title: 'proxy',
  example: 'envoy, envoy-h3',
  preposition: 'through',
  words: (text) => namesByHop.read(text)?.map(serverName).join(' and ') ?? text,
  form: namesByHop,
  appliedBy: ['run'],
  setBy: 'a proxy between client and server',
  provenBy: 'the logs of both',
  readBack: 'testbed.proxies.version',
});

/** Of each link, from the client on. */
export const network = defineFactor({
  id: 'network',
  title: 'network',
  example: '4g, cable',
  preposition: 'on',
  form: namesByHop,
  ownField: 'networks',
  appliedBy: ['run'],
  setBy: 'another link',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});

export const fault = defineFactor({
  id: 'fault',
  title: 'injected fault',
  example: 'delay=+50ms, loss=+1%, chunkdelay=1500ms/5',
  form: anyText,
  freeText: true,
  ownField: 'inject',
  appliedBy: ['run', 'workload'],
  appliersOf: (text) => [chunkDelayIn(text) === undefined ? 'run' : 'workload'],
  unable: 'has no chunks that could be held back: name a video that is no broadcast',
  setBy: 'a link that is worse by so much; a program behind the server that holds chunks of video back',
  provenBy: 'the link’s check; the addresses in the server’s log',
  readBack: 'testbed.links.checksPassed',
});
