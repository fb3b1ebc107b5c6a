import { format } from 'prettier';
import type { ListedClient } from '../../harness/clients/list-clients.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { notServedReason } from '../../src/app/preflight/server-scope.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';

/** What every pair of the matrix loads. */
export const matrixWorkloads = ['download-1kb', 'download-10mb'] as const;
/** Each server as it is without a version, and the versions whose QUIC is another. */
export const matrixServers: readonly string[] = [
  ...serverSoftware.map(({ id }) => id),
  'nginx@1.30',
  'haproxy@3.2',
];
const protocols = ['h2', 'h3'] as const;
type MatrixProtocol = (typeof protocols)[number];

function speaks({ found }: ListedClient, protocol: MatrixProtocol): boolean {
  return found !== null && (found.protocols === undefined || found.protocols.includes(protocol));
}

const isServed = (client: string, server: string, protocol: MatrixProtocol): boolean =>
  notServedReason({ client, server, factors: { protocol } }, 'download') === undefined;

const armOf = (client: string, protocol: string, server: string): string =>
  `${client}:${protocol}+server=${server}`;

/** The arms of one client: all that it speaks, from each of these servers. */
export function armsOf(client: ListedClient, servers: readonly string[]): string[] {
  const spoken = protocols.filter((protocol) => speaks(client, protocol));
  return spoken.flatMap((protocol) =>
    servers
      .filter((server) => isServed(client.id, server, protocol))
      .map((server) => armOf(client.id, protocol, server)),
  );
}

/** What a pair did over one protocol; a refusal has its reason. */
interface Tried {
  readonly works: boolean;
  readonly reason?: string;
}

interface EarlierRow {
  readonly version: string;
  /** By server, then by protocol; one that the client does not speak is not there. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, Tried>>;
}

/** `2, not 3 (1)` as what was tried. */
function triedIn(cell: string, reasons: ReadonlyMap<string, string>): ReadonlyMap<string, Tried> {
  return new Map(
    [...cell.matchAll(/(not )?([23])(?: \((\d+)\))?/g)].map(([, not, digit = '', note = '']) => {
      const reason = reasons.get(note);
      return [`h${digit}`, { works: not === undefined, ...(reason === undefined ? {} : { reason }) }];
    }),
  );
}

/** What a page that was written before says, by client. */
function earlierRows(page: string): ReadonlyMap<string, EarlierRow> {
  const [head = [], , ...rows] = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((words) => words.trim()));
  const reasons = new Map(
    [...page.matchAll(/^(\d+)\. (.+)$/gm)].map(([, number = '', text = '']) => [number, text] as const),
  );
  return new Map(
    rows.map(([, client = '', version = '', ...cells]): [string, EarlierRow] => {
      const byServer = cells
        .slice(0, -1)
        .map((words, index) => [head[index + 3] ?? '', triedIn(words, reasons)] as const);
      return [client.replaceAll('`', ''), { version, cells: new Map(byServer) }];
    }),
  );
}

/** Between these lines of the page stands what is made here. */
const opening = '<!-- made by `npm run matrix` -->';
const closing = '<!-- end of what is made -->';

/** What the trials of one pair say of a protocol; undefined where none was made. */
function triedBy(records: readonly TrialRecord[], arm: string): Tried | undefined {
  const own = records.filter((record) => record.arm === arm);
  if (own.length === 0) return undefined;
  const bad = own.find(({ status }) => status !== 'ok');
  if (bad !== undefined) return { works: false, reason: `${bad.status}: ${bad.reason ?? 'no reason'}` };
  return new Set(own.map(({ workload }) => workload)).size === matrixWorkloads.length
    ? { works: true }
    : { works: false, reason: 'not tried' };
}

/**
 * The page with its matrix made anew from what each client's trials left; reasons are numbered below the table. Where
 * nothing was measured it keeps what the page said before.
 * @throws Error where the page has no place for the matrix
 */
export async function matrixPage(
  clients: readonly ListedClient[],
  records: readonly TrialRecord[],
  before: string,
): Promise<string> {
  const [head, made, tail] = before.split(new RegExp(`${opening}|${closing}`));
  if (head === undefined || made === undefined || tail === undefined)
    throw new Error('the page has no place for the matrix');
  const earlier = earlierRows(made);
  const notes: string[] = [];
  const noted = (reason: string): string => {
    if (!notes.includes(reason)) notes.push(reason);
    return `(${notes.indexOf(reason) + 1})`;
  };
  const cell = (client: ListedClient, server: string): string =>
    protocols
      .flatMap((protocol) => {
        const kept = earlier.get(client.id)?.cells.get(server)?.get(protocol);
        const tried = triedBy(records, armOf(client.id, protocol, server)) ?? kept;
        if (tried === undefined) return [];
        const digit = protocol.slice(1);
        return [tried.works ? digit : `not ${digit} ${noted(tried.reason ?? 'no reason')}`];
      })
      .join(', ');
  const versionOf = ({ id, found }: ListedClient): string => {
    const measured = records.some(({ arm }) => arm.startsWith(`${id}:`));
    return (measured ? found?.version : earlier.get(id)?.version) ?? found?.version ?? 'not here';
  };
  const columns = ['client', 'version', ...matrixServers];
  const rows = clients.map((client) => [
    `\`${client.id}\``,
    versionOf(client),
    ...matrixServers.map((server) => cell(client, server)),
  ]);
  const table = [columns, columns.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
  const reasons = notes.map((note, index) => `${index + 1}. ${note}`).join('\n');
  return format(`${head}${opening}\n\n${table}\n\n${reasons}\n\n${closing}${tail}`, { parser: 'markdown' });
}
