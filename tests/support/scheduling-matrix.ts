import { format } from 'prettier';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { lateImagePaths } from '../../sites/scheduling/late-image-workload.ts';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';

/** Between these lines of the page stands what is made here. */
const opening = '<!-- made by `npm run scheduling` -->';
const closing = '<!-- end of what `npm run scheduling` makes -->';

/** Arms of one client: both protocols from every server, and of a server with a switch both ways. */
export function schedulingArms(client: string, servers: readonly string[]): string[] {
  return servers.flatMap((server) =>
    (['h2', 'h3'] as const).flatMap((protocol) =>
      switchesOf(server).map((value) => `${client}:${protocol}+server=${server}${value}`),
    ),
  );
}

function switchesOf(server: string): readonly string[] {
  const applies: readonly string[] = serverSoftware.find(({ id }) => id === server)?.applies ?? [];
  return applies.includes('priorities') ? ['+priorities=on', '+priorities=off'] : [''];
}

/** How a late urgent object fared in one load. */
export interface Overtaking {
  /** From its request until its last byte, ms: until it was handed to the transport, or had arrived. */
  readonly urgentMs: number;
  /** Of those asked for before it: how many ended before it did. */
  readonly endedBefore: number;
}

interface Answer {
  readonly path: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** By the server's log. Undefined where it lacks one of the objects. */
export function overtakingOf({ serverLog }: Pick<RawTrial, 'serverLog'>): Overtaking | undefined {
  return overtakingAmong(
    (serverLog ?? []).map(({ path, startEpochMs, durationMs }) => ({
      path,
      startMs: startEpochMs,
      endMs: startEpochMs + durationMs,
    })),
  );
}

/** By the browser's own time line. Undefined where it lacks one of the objects, or a recorded trial has none. */
export function arrivalOf({ timelines = [] }: Pick<RawTrial, 'timelines'>): Overtaking | undefined {
  const entries = timelines.filter(({ scope }) => scope === 'page').flatMap((page) => page.entries);
  return overtakingAmong(
    entries
      .filter(({ responseEndMs }) => responseEndMs > 0)
      .map(({ url, startMs, responseEndMs }) => ({
        path: new URL(url).pathname,
        startMs,
        endMs: responseEndMs,
      })),
  );
}

function overtakingAmong(answers: readonly Answer[]): Overtaking | undefined {
  const answerTo = (path: string): Answer | undefined => answers.find((one) => one.path === path);
  const urgent = answerTo(lateImagePaths.urgent);
  const low = lateImagePaths.low.flatMap((path) => answerTo(path) ?? []);
  if (urgent === undefined || low.length < lateImagePaths.low.length) return undefined;
  return {
    urgentMs: urgent.endMs - urgent.startMs,
    endedBefore: low.filter(({ endMs }) => endMs < urgent.endMs).length,
  };
}

/** Arms whose server buffers whole answers: its log says when they were in the buffer, and the browser when they came. */
export const isSeenByClient = (arm: string): boolean => /:h3\+server=nginx|\+server=envoy/.test(arm);

/** A cell of the page: what one client got from one server over one protocol, in each of its loads. */
export interface SchedulingRow {
  readonly client: string;
  readonly version: string;
  readonly arm: string;
  readonly loads: readonly Overtaking[];
  /** Why loads are missing. */
  readonly reason?: string;
}

const armForm = /^[^:]+:(h2|h3)\+server=([^+]+)(?:\+priorities=(on|off))?$/;

const heads = ['client', 'server', 'HTTP/2', 'HTTP/3'];

/** Time of the urgent object in each load, ms; in brackets how many of those before it ended before it. */
function cellOf({ arm, loads, reason }: SchedulingRow): string {
  if (loads.length === 0) return `**no**: ${reason ?? 'not tried'}`;
  const times = loads.map(({ urgentMs }) => Math.round(urgentMs));
  const ended = loads.map(({ endedBefore }) => endedBefore);
  return `${times.join(', ')} (${ended.join(', ')})${isSeenByClient(arm) ? ' (browser)' : ''}`;
}

/** A client keeps its row whatever its version. */
const nameOf = ([client = '', server]: readonly string[]): string => [client.split(' ')[0], server].join(' ');

/** Rows of a page that was written before, by their names. */
function rowsIn(made: string): Map<string, string[]> {
  const lines = made.split('\n').filter((line) => line.startsWith('|'));
  return new Map(
    lines.slice(2).map((line) => {
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [nameOf(cells), cells];
    }),
  );
}

/** Puts what was measured into the cell of its server and protocol. */
function addTo(all: Map<string, string[]>, row: SchedulingRow): void {
  const [, protocol = '', server = '', value = ''] = armForm.exec(row.arm) ?? [];
  const words = value === '' ? '' : `, priorities ${value}`;
  const head = [`\`${row.client}\` ${row.version}`, `\`${server}\`${words}`];
  const [, , h2 = '', h3 = ''] = all.get(nameOf(head)) ?? [];
  all.set(nameOf(head), [...head, ...(protocol === 'h2' ? [cellOf(row), h3] : [h2, cellOf(row)])]);
}

/**
 * The page with these rows made anew; rows that are not among them stay as they are.
 *
 * @throws Error where the page has no place for them
 */
export async function schedulingPage(rows: readonly SchedulingRow[], before: string): Promise<string> {
  const [head, made, tail] = before.split(new RegExp(`${opening}|${closing}`));
  if (head === undefined || made === undefined || tail === undefined)
    throw new Error('the page has no place for the order of arrival');
  const all = rowsIn(made);
  for (const row of rows) addTo(all, row);
  const table = [heads, heads.map(() => '---'), ...all.values()].map((cells) => `| ${cells.join(' | ')} |`);
  return format(`${head}${opening}\n\n${table.join('\n')}\n\n${closing}${tail}`, { parser: 'markdown' });
}
