import { differingFactors, factorDefinition, factorNames, factorsOfLabel } from './factor.ts';
import type { FactorName, Factors } from './factor.ts';
import type { Arm } from './plan.ts';
import type { ArmProtocol } from './protocol.ts';

type Named = Pick<Arm, 'label' | 'factors'>;

/** Each protocol as people write it. */
export const protocolNames: Readonly<Record<ArmProtocol, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  auto: 'the browser’s own choice of protocol',
};

/** How a factor stands behind a protocol: `HTTP/3 in firefox`, `HTTP/3 from nginx`. */
const joints: Readonly<Partial<Record<FactorName, string>>> = {
  protocol: 'over',
  client: 'in',
  url: 'from',
  server: 'from',
  network: 'on',
  proxy: 'through',
};

/** Names of clients that their ids alone do not tell. */
const products: Readonly<Record<string, string>> = {
  chrome: 'Google Chrome',
  chromium: 'Chromium',
  edge: 'Microsoft Edge',
  opera: 'Opera',
  firefox: 'Firefox',
};

/** The client behind an id, as far as the id alone tells: `chromium@153` is Chromium 153. */
function clientName(id: string): string {
  const [product = '', version] = id.split('@');
  const name = Object.hasOwn(products, product) ? products[product] : undefined;
  if (name === undefined) return id;
  return version === undefined ? name : `${name} ${version}`;
}

/** A value of a factor where it stands for itself: `HTTP/3`, `nginx`, `congestion control bbr`. */
export function valueName(name: FactorName, factors: Factors): string {
  const value = factors[name];
  const { title, unset = `no ${title}` } = factorDefinition(name);
  if (value === undefined) return unset;
  if (name === 'protocol') return protocolNames[value as ArmProtocol];
  if (name === 'client') return clientName(value);
  return joints[name] === undefined ? `${title} ${value}` : value;
}

function phrase(name: FactorName, factors: Factors): string {
  return `${joints[name] ?? 'with'} ${valueName(name, factors)}`;
}

/** The same for an arm of which only the label is known, such as `chromium@153:h3`; a label of another form stays. */
export function armNameOfLabel(label: string): string {
  const { protocol, ...rest } = factorsOfLabel(label);
  return protocol === undefined ? label : armName({ label, factors: { protocol, ...rest } });
}

/** An arm in words: `HTTP/3`, `HTTP/2 (arm 2)` for a repeated arm, `HTTP/3 in Chromium 153 from nginx`. */
export function armName({ label, factors }: Named): string {
  const others = factorNames.filter((name) => name !== 'protocol' && factors[name] !== undefined);
  const repeat = /#(\d+)$/.exec(label)?.[1];
  const repeated = repeat === undefined ? '' : ` (arm ${repeat})`;
  return (
    [protocolNames[factors.protocol], ...others.map((name) => phrase(name, factors))].join(' ') + repeated
  );
}

export interface PairNames {
  readonly baseline: string;
  readonly candidate: string;
  /** What both arms set alike, such as `over HTTP/3`; empty where they share nothing worth saying. */
  readonly shared: string;
}

/** Two arms by what differs between them, and what they share: nginx against caddy, over HTTP/3. */
export function pairNames(baseline: Named, candidate: Named): PairNames {
  const differing = differingFactors(baseline.factors, candidate.factors);
  if (differing.length === 0)
    return { baseline: armName(baseline), candidate: armName(candidate), shared: '' };
  const only = ({ factors }: Named): string => {
    const [first, ...rest] = differing;
    if (first === undefined) return '';
    return [valueName(first, factors), ...rest.map((name) => phrase(name, factors))].join(' ');
  };
  const common = factorNames.filter(
    (name) => !differing.includes(name) && baseline.factors[name] !== undefined,
  );
  return {
    baseline: only(baseline),
    candidate: only(candidate),
    shared: common.map((name) => phrase(name, baseline.factors)).join(' '),
  };
}
