import { format } from 'prettier';
import type { ListedClient } from '../../harness/clients/list-clients.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { whyNotServed } from '../../src/app/preflight/server-scope.ts';
import type { TrialRecord } from '../../src/model/record.ts';

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

const protocolNames: Readonly<Record<MatrixProtocol, string>> = { h2: 'HTTP/2', h3: 'HTTP/3' };

function speaks({ found }: ListedClient, protocol: MatrixProtocol): boolean {
  return found !== null && (found.protocols === undefined || found.protocols.includes(protocol));
}

const isServed = (client: string, server: string, protocol: MatrixProtocol): boolean =>
  whyNotServed({ client, server, factors: { protocol } }, 'download') === undefined;

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

interface EarlierRow {
  readonly version: string;
  /** Words of each cell by server; of a refusal its reason. */
  readonly cells: ReadonlyMap<string, { readonly words: string; readonly reason?: string }>;
}

/** What a page that was written before says, by client and protocol: `curl HTTP/3`. */
function earlierRows(page: string): ReadonlyMap<string, EarlierRow> {
  const [head = [], , ...rows] = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((words) => words.trim()));
  const reasons = new Map([...page.matchAll(/^(\d+)\. (.+)$/gm)].map(([, number, text]) => [number, text]));
  return new Map(
    rows.map(([, client = '', version = '', protocol = '', ...cells]): [string, EarlierRow] => {
      const byServer = cells.slice(0, -1).map((words, index) => {
        const reason = reasons.get(/^\*\*no\*\* \((\d+)\)$/.exec(words)?.[1]);
        return [head[index + 4] ?? '', { words, ...(reason === undefined ? {} : { reason }) }] as const;
      });
      return [`${client.replaceAll('`', '')} ${protocol}`, { version, cells: new Map(byServer) }];
    }),
  );
}

/** Between these lines of the page stands what is made here. */
const opening = '<!-- made by `npm run matrix` -->';
const closing = '<!-- end of what is made -->';

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
    return `**no** (${notes.indexOf(reason) + 1})`;
  };
  const cell = (client: ListedClient, protocol: MatrixProtocol, server: string): string => {
    const own = records.filter(({ arm }) => arm === armOf(client.id, protocol, server));
    const kept = earlier.get(`${client.id} ${protocolNames[protocol]}`)?.cells.get(server);
    if (own.length === 0 && kept !== undefined && kept.words !== '')
      return kept.reason === undefined ? kept.words : noted(kept.reason);
    if (client.found === null) return '';
    if (!speaks(client, protocol) || !isServed(client.id, server, protocol)) return 'unsupported';
    if (own.length === 0) return '';
    const bad = own.find(({ status }) => status !== 'ok');
    if (bad !== undefined) return noted(`${bad.status}: ${bad.reason ?? 'no reason'}`);
    return new Set(own.map(({ workload }) => workload)).size === matrixWorkloads.length
      ? 'yes'
      : noted('not tried');
  };
  const versionOf = ({ id, found }: ListedClient, protocol: MatrixProtocol): string => {
    const measured = records.some(({ arm }) => arm.startsWith(`${id}:`));
    const kept = earlier.get(`${id} ${protocolNames[protocol]}`)?.version;
    return (measured ? found?.version : kept) ?? found?.version ?? 'not here';
  };
  const columns = ['client', 'version', 'over', ...matrixServers];
  const rows = clients.flatMap((client) =>
    protocols.map((protocol) => [
      `\`${client.id}\``,
      versionOf(client, protocol),
      protocolNames[protocol],
      ...matrixServers.map((server) => cell(client, protocol, server)),
    ]),
  );
  const table = [columns, columns.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
  const reasons = notes.map((note, index) => `${index + 1}. ${note}`).join('\n');
  return format(`${head}${opening}\n\n${table}\n\n${reasons}\n\n${closing}${tail}`, { parser: 'markdown' });
}
