import { factorNamed } from '../core/factors/registry.ts';
import { H2h3Error } from '../core/model/errors.ts';
import { parseFaults } from '../core/model/fault.ts';

/**
 * The one allow-list of what a plan of somebody else may say. Every text of a plan has its line here: by a rule that starts
 * nothing, reads no file and no variable, and reaches no address; or by what it would do, which only the user may allow. A
 * text without a line is refused. Numbers, truth values and null act on nothing by themselves.
 */

/** What a text must be; undefined where it is. */
type TextRule = (text: string) => string | undefined;

/** What a field would do if the plan were carried out, a clause that begins with a verb. */
export interface Act {
  readonly does: string;
  /** Its text may lead to secrets, and is not shown. */
  readonly isHidden?: true;
}

const maxTextLength = 20_000;
const maxNameLength = 250;

/** For people or for comparison with other texts of the plan. */
const text: TextRule = (value) =>
  value.length <= maxTextLength ? undefined : `has more than ${maxTextLength} characters`;

/** A name that is looked up in a table of ours; it leads nowhere else. */
const isName = (value: string): boolean =>
  value.length <= maxNameLength && /^[a-z0-9][\w.@:+-]*$/i.test(value) && !value.includes('..');

const name: TextRule = (value) => (isName(value) ? undefined : 'is no plain name');

/** Names of one thing for each hop, apart at slashes. */
const namesByHop: TextRule = (value) => (value.split('/').every(isName) ? undefined : 'is no plain name');

const folderName: TextRule = (value) =>
  value.length <= maxNameLength && /^\w[\w.-]*$/.test(value) ? undefined : 'is no name of letters and digits';

function isFault(value: string): boolean {
  try {
    return value.length <= maxNameLength && parseFaults(value).length > 0;
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return false;
    throw thrown;
  }
}

/** Factors whose values are names, by their rules; the values of all others have forms of their own. */
const factorRules: Readonly<Record<string, TextRule>> = {
  client: name,
  server: name,
  network: namesByHop,
  proxy: namesByHop,
  congestion: namesByHop,
  fault: (value) => (isFault(value) ? undefined : 'is no injected fault'),
};

const factorActs: Readonly<Record<string, Act>> = {
  url: { does: 'loads a live address' },
  flags: { does: 'sets switches of a browser or a program, which can start others' },
};

const startsByPath: Act = { does: 'starts a program by its path' };
const usesPhone: Act = { does: 'starts adb, and clears and drives Chrome on a phone that is attached' };

/** Of a client's name: those that do not lead to one of this machine's own clients, or one that is fetched. */
function clientAct(value: string): Act | undefined {
  if (/[/\\]/.test(value)) return startsByPath;
  return /^android(?:@|$)/i.test(value) ? usesPhone : undefined;
}

function factorVerdict(factor: string, value: string): Act | string | undefined {
  const known = factorNamed(factor);
  if (known === undefined) return 'is no factor';
  const act = Object.hasOwn(factorActs, factor) ? factorActs[factor] : undefined;
  if (act !== undefined) return act;
  const clients = factor === 'client' ? clientAct(value) : undefined;
  if (clients !== undefined) return clients;
  if (Object.hasOwn(factorRules, factor)) return factorRules[factor]?.(value);
  return known.form.words !== undefined && known.form.read(value) !== undefined
    ? undefined
    : `is no valid ${known.title}`;
}

/** Fields that act, whatever they hold. `live.*`: those of `live` that are not named by themselves. */
const actingFields: Readonly<Record<string, Act>> = {
  'urls[]': { does: 'loads a live address' },
  'app.builds': { does: 'starts programs' },
  'app.addresses': { does: 'asks an app at an address' },
  'app.*': { does: 'says how an app is asked' },
  'live.server': { does: 'starts a program' },
  'live.login': { does: 'runs a script' },
  'live.storageState': { does: 'reads a file and sends what it holds', isHidden: true },
  'live.headers': { does: 'reads secrets of this machine and sends them', isHidden: true },
  'live.cookies': { does: 'reads secrets of this machine and sends them', isHidden: true },
  'live.basicAuth': { does: 'reads secrets of this machine and sends them', isHidden: true },
  'live.ca': { does: 'reads a file and trusts the certificates in it' },
  'live.*': { does: 'says how live addresses are reached' },
  script: { does: 'runs a script' },
  'hosts.server': { does: 'connects to another machine by ssh, and starts programs there' },
  'hosts.proxy': { does: 'connects to another machine by ssh, and starts programs there' },
  'hosts.client': { does: 'connects to another machine by ssh, and starts programs there' },
  'customSites[]': { does: 'serves what a folder of this machine holds, or pages made from the plan' },
  'customNetworks[].up.trace.file': { does: 'reads a file' },
  'customNetworks[].down.trace.file': { does: 'reads a file' },
  'customNetworks[].up.scheduleFile': { does: 'reads a file' },
  'customNetworks[].down.scheduleFile': { does: 'reads a file' },
};

/** Texts of a plan by their place, `[]` for any place in a list and `*` for any name. */
const textRules: Readonly<Record<string, TextRule>> = {
  name: folderName,
  scale: name,
  command: text,
  'arms[].label': text,
  'arms[].slug': folderName,
  'compare[][]': text,
  recordedBlocks: name,
  'primary.*': name,
  'probes[]': name,
  'budgets[]': text,
  'customNetworks[].id': folderName,
  'customNetworks[].title': text,
  'customNetworks[].source': text,
  'customNetworks[].duplex': name,
  'customNetworks[].up.queue': name,
  'customNetworks[].down.queue': name,
  'customNetworks[].up.trace.format': name,
  'customNetworks[].down.trace.format': name,
  'customNetworks[].up.trace.generator': name,
  'customNetworks[].down.trace.generator': name,
  'audience.source': text,
  'audience.notes[]': text,
  'audience.conditions[].network': folderName,
  'audience.conditions[].title': text,
  'audience.conditions[].client': name,
  'audience.conditions[].family': name,
  'audience.conditions[].view': name,
  'audience.leftOut[].title': text,
  'audience.leftOut[].why': text,
  'standIns[].network': namesByHop,
  'standIns[].fault': text,
  'standIns[].standIn': namesByHop,
  'grid.networks[].network': namesByHop,
  'grid.workloads[].workload': text,
  'queue.runId': name,
  // Looked up among the workloads that ship; of a live address it is the address.
  'workloads[].id': text,
  'workloads[].kind': name,
  'workloads[].title': text,
  'workloads[].view': name,
  'workloads[].applies[]': name,
  'conditions[].conditionId': folderName,
  'conditions[].workload': text,
  'conditions[].client': name,
  'conditions[].network': namesByHop,
  'conditions[].server': name,
};

/** Lists in which nothing but words for people and names to compare with stands. */
const shownFields: readonly string[] = ['published'];

/**
 * Trials are made anew from arms and conditions. What a trial says besides is compared with that, and nothing of it is
 * carried out.
 */
const comparedFields: readonly string[] = ['trials'];

const isWithin = (pattern: string, field: string): boolean =>
  pattern === field || pattern.startsWith(`${field}.`) || pattern.startsWith(`${field}[`);

/** What a field with all that it holds would do; undefined for one that acts on nothing by itself. */
export function actOf(pattern: string): Act | undefined {
  if (Object.hasOwn(actingFields, pattern)) return actingFields[pattern];
  const parent = /^(?:live|app)(?=\.\w+$)/.exec(pattern)?.[0];
  return parent === undefined ? undefined : actingFields[`${parent}.*`];
}

/** The same for any field within it. */
function actAbove(pattern: string): Act | undefined {
  const ends = [...pattern.matchAll(/\.|(?=\[)|$/g)].map(({ index }) => index);
  return ends.map((end) => actOf(pattern.slice(0, end))).find((act) => act !== undefined);
}

/**
 * What a text of a plan would do, or why it may not stand there; undefined where it may.
 *
 * @param pattern where it stands: `arms[].factors.client`
 */
export function textVerdict(pattern: string, value: string): Act | string | undefined {
  const act = actAbove(pattern);
  if (act !== undefined) return act;
  const factor = /^(?:arms|conditions)\[\]\.factors\.([\w-]+)$/.exec(pattern)?.[1];
  if (factor !== undefined) return factorVerdict(factor, value);
  if ([...shownFields, ...comparedFields].some((field) => isWithin(pattern, field))) return text(value);
  const byPlace = ruleAt(pattern) ?? ruleAt(pattern.replace(/\.[^.[\]]+$/, '.*'));
  if (byPlace === undefined) return 'is no text that a plan from elsewhere may have';
  // A condition names its client itself where no arm does.
  return (pattern === 'conditions[].client' ? clientAct(value) : undefined) ?? byPlace(value);
}

const ruleAt = (pattern: string): TextRule | undefined =>
  Object.hasOwn(textRules, pattern) ? textRules[pattern] : undefined;
