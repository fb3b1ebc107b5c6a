import { z } from 'zod';
import { H2h3Error } from './errors.ts';
import type { LiveAccess } from './live-access.ts';
import { serverUnderTestSchema } from './live-address.ts';

/** What stands for the main app's name in those of the others: `api.app.h2h3.test`. */
const publicHost = 'app.h2h3.test';

export const buildNames = ['baseline', 'candidate'] as const;
/** Which of two builds of an app, as arms name it. */
export type BuildName = (typeof buildNames)[number];

/** As browsers know two builds of an app: names of one length, so that requests for both are as long. */
const hostOfBuild: Readonly<Record<BuildName, string>> = {
  baseline: 'old-app.h2h3.test',
  candidate: 'new-app.h2h3.test',
};
const written = /^(?:([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)=)?(https?:\/\/.+)$/i;

/** The word that keeps other hosts away, the one that lets them be asked, or the folder of a recording that answers for them. */
export const othersBlocked = 'blocked';
export const othersLive = 'live';

/** A build of an app, which is started for a run and ended with it. */
const appBuildSchema = serverUnderTestSchema.pick({ command: true, readyWithinSeconds: true }).extend({
  /** Where it listens: `http://localhost:3000`. Absent: at the port that it finds in its variable `PORT`. */
  origin: z
    .url({ protocol: /^http$/ })
    .refine((text) => URL.parse(text)?.href === `${URL.parse(text)?.origin}/`, 'want http://HOST:PORT')
    .optional(),
});

/** An app of the user's, before which servers of ours stand. */
export const appOptionsSchema = z.strictObject({
  /**
   * `http://localhost:3000/path` each, those of further hosts as `NAME=http://…`. The first is the page. Of two builds, the paths
   * of their pages: `/cart`.
   */
  addresses: z.array(z.string().min(1)).min(1),
  /** `own`: every app is asked by the host of its address. Else the host that it is asked by. Default: as the browser asks. */
  host: z.string().min(1).optional(),
  /** Compress text that the app sends as it is. Default no. */
  compress: z.boolean().optional(),
  /** `blocked`, `live`, or the folder of a recording. Default: blocked. */
  thirdParties: z.string().min(1).optional(),
  /** Two builds of the app, of which each arm names one: `h3+app=candidate`. */
  builds: z.strictObject({ baseline: appBuildSchema, candidate: appBuildSchema }).optional(),
});
export type AppOptions = z.infer<typeof appOptionsSchema>;

/** One host of an app. */
export const appHostSchema = z.object({
  /** By which the browser knows it. */
  host: z.string(),
  /** Where it listens: `http://localhost:3000`. */
  origin: z.string(),
});
export type AppHost = z.infer<typeof appHostSchema>;

/** What the program needs that connects a server of ours with the app. */
export const appRouteSchema = z.object({
  hosts: z.array(appHostSchema).min(1),
  /** Of the server, by which browsers ask. */
  port: z.number(),
  ownHost: z.string().optional(),
  compress: z.boolean().optional(),
});
export type AppRoute = z.infer<typeof appRouteSchema>;

/** What a trial knows of the app that it loads. */
export const appPageSchema = z.object({
  /** The page at the app itself. */
  url: z.string(),
  route: appRouteSchema,
  /** Parts of addresses that are not asked for; `*` stands for anything. */
  block: z.array(z.string()),
  thirdParties: z.enum(['blocked', 'recorded', 'live']),
});
export type AppPage = z.infer<typeof appPageSchema>;

/** An app's hosts and pages. */
export interface AppPlaces {
  readonly hosts: readonly AppHost[];
  /** Addresses of the pages, each of the first host. */
  readonly pages: readonly URL[];
}

/**
 * What the addresses of an app name: the first is a page, further ones of the same origin are pages too, and those with a name
 * are further hosts.
 *
 * @param build which of two builds of the app it is; absent: there is one
 * @throws H2h3Error `usage` for what is no address of an app
 */
export function appPlaces(addresses: readonly string[], build?: BuildName): AppPlaces {
  const hosts: AppHost[] = [];
  const pages: URL[] = [];
  for (const text of addresses) {
    const { name, url } = parsedAddress(text);
    const [first] = hosts;
    if (first !== undefined && name === undefined && url.origin !== first.origin)
      throw new H2h3Error('usage', `${url.origin} is another host of the app, and has no name`, {
        next: `Name it, such as --app api=${url.origin}: browsers then know it as api.${publicHost}.`,
      });
    if (first === undefined || name === undefined) pages.push(url);
    if (first !== undefined && name === undefined) continue;
    const main = build === undefined ? publicHost : hostOfBuild[build];
    const host = name === undefined ? main : `${name.toLowerCase()}.${main}`;
    if (hosts.some((other) => other.host === host))
      throw new H2h3Error('usage', `two hosts of the app have the name ${name}`);
    hosts.push({ host, origin: url.origin });
  }
  return { hosts, pages };
}

/** The pages of two builds, by their paths. @throws H2h3Error `usage` for what is none */
export function pathsOfBuilds({ addresses }: Pick<AppOptions, 'addresses'>): readonly string[] {
  const other = addresses.find((text) => !/^\/(?![/\\])/.test(text));
  if (other === undefined) return addresses;
  throw new H2h3Error('usage', `${other.replace(/\/\/[^/]*@/, '//')} is no path of a page of both builds`, {
    context: { expected: '/ or /cart', got: other.replace(/\/\/[^/]*@/, '//') },
    next: 'Say where a build listens by --baseline and --candidate, and name its pages by their paths.',
  });
}

/** A build of an app, started for a run. */
export interface RunningBuild {
  readonly name: BuildName;
  /** `http://localhost:34567` */
  readonly origin: string;
  /** What opens it for browsers that know it by its public name. */
  readonly access: LiveAccess | undefined;
}

/** Id of what a trial loads that is of one build. */
export const contentOfBuild = (workload: string, build: string): string => `${workload}+${build}`;

function parsedAddress(text: string): { readonly name: string | undefined; readonly url: URL } {
  const [, name, address = ''] = written.exec(text) ?? [];
  const url = URL.parse(address);
  if (url === null)
    throw new H2h3Error('usage', `Not an address of an app: ${text.replace(/\/\/[^/]*@/, '//')}`, {
      context: { expected: 'http://HOST:PORT/path, or NAME=http://HOST:PORT for a further host' },
      ...(/^[\w.-]+:\d+/.test(text) ? { next: `Did you mean --app http://${text}?` } : {}),
    });
  if (url.username !== '' || url.password !== '')
    throw new H2h3Error('usage', `an address with a name and a password is not measured: ${url.host}`, {
      next: 'Plan and reports would show them. Give the address without them, and --basic-auth.',
    });
  if (url.protocol === 'https:')
    throw new H2h3Error('usage', `${url.origin} speaks TLS, and --app is for apps over plain HTTP`, {
      next: `Measure it with the server that it has: npx h2h3 run --url ${url.href}`,
    });
  return { name, url };
}

/** Whether a name or an address of a URL means the machine on which it is asked. */
export function isOfAskingMachine(hostname: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[::1?\]|0\.0\.0\.0|(?:.+\.)?localhost)$/i.test(hostname);
}

/** The origin by which browsers know a host of the app. */
export function publicOrigin({ host }: Pick<AppHost, 'host'>, port: number): string {
  return `https://${host}${port === 443 ? '' : `:${port}`}`;
}

/** The name that cookies of all hosts of an app share. */
export function sharedDomain({ hosts }: Pick<AppRoute, 'hosts'>): string {
  return hosts.length > 1 ? publicHost : (hosts[0]?.host ?? publicHost);
}
