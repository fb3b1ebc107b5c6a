import { resolve } from 'node:path';
import {
  appPlaces,
  othersBlocked,
  othersLive,
  pathsOfBuilds,
  type AppOptions,
} from '../../core/model/app-under-test.ts';
import { optionOf } from '../../core/model/command-words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { serverUnderTestSchema, type LiveOptions } from '../../core/model/live-address.ts';
import { parseArms } from '../../plan/arms.ts';
import type { PlanFile, PlanFileInput } from '../../plan/plan-file.ts';

/** Flags about live addresses, and those that cannot stand next to one; all as typed. */
export interface LiveFlags {
  readonly url?: readonly string[];
  /** Of an app over plain HTTP. */
  readonly app?: readonly string[] | undefined;
  readonly appHost?: string;
  readonly appCompress?: boolean;
  readonly thirdParties?: string;
  /** Two builds of an app, whose pages `app` names by their paths. */
  readonly builds?: AppOptions['builds'];
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly connectTo?: readonly string[];
  readonly block?: readonly string[];
  readonly header?: readonly string[];
  readonly cookie?: readonly string[];
  readonly basicAuth?: string;
  readonly storageState?: string;
  readonly login?: string;
  readonly server?: string;
  /** Starts the server of the address. */
  readonly serverCommand?: string;
  readonly serverReady?: string;
  /** Parted by commas. */
  readonly serverProtocol?: string;
}

/** What the flags say about live addresses, as a plan file has it. */
export function liveOptionsOf(flags: LiveFlags): LiveOptions {
  const { ca, insecure, connectTo, block, header, cookie, basicAuth, storageState, login } = flags;
  return {
    ...(ca === undefined ? {} : { ca: resolve(ca) }),
    ...(insecure === true ? { insecure } : {}),
    ...(connectTo === undefined ? {} : { connectTo: [...connectTo] }),
    ...(block === undefined ? {} : { block: [...block] }),
    ...(header === undefined ? {} : { headers: [...header] }),
    ...(cookie === undefined ? {} : { cookies: [...cookie] }),
    ...(basicAuth === undefined ? {} : { basicAuth }),
    ...(storageState === undefined ? {} : { storageState: resolve(storageState) }),
    ...(login === undefined ? {} : { login: resolve(login) }),
    ...serverUnderTestOf(flags),
  };
}

/** @throws H2h3Error `usage` for what says something of a server that is not started */
function serverUnderTestOf({
  serverCommand: command,
  serverReady: ready,
  serverProtocol: protocol,
}: LiveFlags): Pick<LiveOptions, 'server'> {
  const said = { ...(ready === undefined ? {} : { ready }), ...(protocol === undefined ? {} : { protocol }) };
  if (command === undefined) {
    const [name] = Object.keys(said);
    if (name === undefined) return {};
    throw new H2h3Error('usage', `--server-${name} is about a server that --server-command starts`, {
      next: 'Give the command, or leave it out.',
    });
  }
  const unknown = protocol?.split(',').find((name) => name !== 'h2' && name !== 'h3');
  if (unknown !== undefined)
    throw new H2h3Error('usage', `--server-protocol wants h2, h3 or both, got "${unknown}"`);
  const parsed = serverUnderTestSchema.safeParse({
    ...said,
    command,
    ...(protocol === undefined ? {} : { protocol: protocol.split(',') }),
  });
  if (parsed.success) return { server: parsed.data };
  const lines = parsed.error.issues.map(
    ({ path: [name], message }) => `--server-${String(name)}: ${message}`,
  );
  throw new H2h3Error('usage', lines.join('; '));
}

/**
 * The network of a preset is for its own pages and one machine: a live address that takes their place keeps its real path, and so does
 * a server on another machine.
 */
export function realPathOf({
  workloads = [],
  sites = [],
  urls = [],
  hosts,
  networks,
}: PlanFileInput): string[] | undefined {
  if (hosts !== undefined) return undefined;
  return urls.length > 0 && workloads.length + sites.length === 0 ? undefined : networks;
}

/** The server of a live address is not ours to choose. @throws H2h3Error `usage` */
export function refuseOwnServer({ url, server }: LiveFlags): void {
  if (url === undefined || server === undefined) return;
  throw new H2h3Error('usage', '--server cannot be given with --url: a live address has its own', {
    next: 'Record the site first (`npx h2h3 record URL`) and run the recording: its server can be chosen. An app over plain HTTP takes any: --app http://….',
  });
}

/** What an app is not told: it speaks neither TLS nor a protocol of its own choice. */
const notOfApps: readonly (keyof LiveOptions)[] = ['ca', 'insecure', 'connectTo'];

/** @throws H2h3Error `usage` for what is said of an app without one, and for what no app takes */
export function requireAppOptions({ app, live }: PlanFile, flags: LiveFlags): void {
  const said = [
    flags.appHost === undefined ? [] : '--app-host',
    flags.appCompress === undefined ? [] : '--app-compress',
    flags.thirdParties === undefined ? [] : '--third-parties',
  ].flat();
  if (app === undefined) {
    if (said[0] === undefined) return;
    throw new H2h3Error('usage', `${said[0]} is about an app, and this plan loads none`, {
      next: 'Name one with --app.',
    });
  }
  if (app.builds === undefined) appPlaces(app.addresses);
  else pathsOfBuilds(app);
  const [option] = notOfApps.filter((name) => live[name] !== undefined);
  if (option !== undefined)
    throw new H2h3Error('usage', `${flagOf(option)} is about TLS, which servers of h2h3 speak for an app`, {
      next: 'Leave it out, or measure an address with its own server: --url.',
    });
  if (flags.serverProtocol !== undefined)
    throw new H2h3Error('usage', '--server-protocol is about a live address, and --app is plain HTTP', {
      next: 'Leave it out.',
    });
}

/** What the flags say about an app, with what a plan file says of it. */
export function appOptionsOf(
  base: PlanFileInput['app'],
  { app, appHost, appCompress, thirdParties, builds }: LiveFlags,
): NonNullable<PlanFileInput['app']> | undefined {
  const addresses = app === undefined ? base?.addresses : [...app];
  if (addresses === undefined) return undefined;
  return {
    ...base,
    addresses,
    ...(appHost === undefined ? {} : { host: appHost }),
    ...(appCompress === undefined ? {} : { compress: appCompress }),
    ...(builds === undefined ? {} : { builds }),
    ...(thirdParties === undefined ? {} : { thirdParties: thirdPartiesOf(thirdParties) }),
  };
}

const thirdPartiesOf = (text: string): string =>
  text === othersBlocked || text === othersLive ? text : resolve(text.replace(/^recorded[=:\s]/, ''));

/** What is said about a live address means nothing without one. @throws H2h3Error `usage` */
export function requireLiveAddress({ live, urls, app, arms }: PlanFile): void {
  const [said] = Object.keys(live);
  if (
    said === undefined ||
    urls.length > 0 ||
    app !== undefined ||
    parseArms(arms).some(({ factors }) => factors.url)
  )
    return;
  throw new H2h3Error('usage', `${flagOf(said)} is for live addresses, and this plan loads none`, {
    next: 'Name one with --url, or an app with --app.',
  });
}

function flagOf(option: string): string {
  const words = option.replace(/^(header|cookie)s$/, '$1').replace(/^server$/, 'server-command');
  return optionOf(words);
}
