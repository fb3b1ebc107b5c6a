import { format } from 'prettier';
import type { ListedClient } from '../../harness/clients/list-clients.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import type { TrialRecord } from '../../src/model/record.ts';

/** What every pair of the matrix loads. */
export const matrixWorkloads = ['download-1kb', 'download-10mb'] as const;
const protocols = ['h2', 'h3'] as const;
type MatrixProtocol = (typeof protocols)[number];

const protocolNames: Readonly<Record<MatrixProtocol, string>> = { h2: 'HTTP/2', h3: 'HTTP/3' };

function speaks({ found }: ListedClient, protocol: MatrixProtocol): boolean {
  return found !== null && (found.protocols === undefined || found.protocols.includes(protocol));
}

const armOf = (client: string, protocol: string, server: string): string =>
  `${client}:${protocol}+server=${server}`;

/** The arms of one client: all that it speaks, from every server. */
export function armsOf(client: ListedClient): string[] {
  const spoken = protocols.filter((protocol) => speaks(client, protocol));
  return spoken.flatMap((protocol) => serverSoftware.map(({ id }) => armOf(client.id, protocol, id)));
}

/** The page of the matrix, out of what each client's trials left; reasons are numbered below the table. */
export async function matrixPage(
  clients: readonly ListedClient[],
  records: readonly TrialRecord[],
): Promise<string> {
  const notes: string[] = [];
  const noted = (reason: string): string => {
    if (!notes.includes(reason)) notes.push(reason);
    return `**no** (${notes.indexOf(reason) + 1})`;
  };
  const cell = (client: ListedClient, protocol: MatrixProtocol, server: string): string => {
    if (client.found === null) return '';
    if (!speaks(client, protocol)) return 'unsupported';
    const own = records.filter(({ arm }) => arm === armOf(client.id, protocol, server));
    const bad = own.find(({ status }) => status !== 'ok');
    if (bad !== undefined) return noted(`${bad.status}: ${bad.reason ?? 'no reason'}`);
    return own.length === matrixWorkloads.length ? 'yes' : noted('not tried');
  };
  const head = ['client', 'version', 'over', ...serverSoftware.map(({ id }) => id)];
  const rows = clients.flatMap((client) =>
    protocols.map((protocol) => [
      `\`${client.id}\``,
      client.found?.version ?? 'not here',
      protocolNames[protocol],
      ...serverSoftware.map(({ id }) => cell(client, protocol, id)),
    ]),
  );
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
  const reasons = notes.map((note, index) => `${index + 1}. ${note}`).join('\n');
  return format(`${introduction}\n\n${table}\n\n${reasons}\n`, { parser: 'markdown' });
}

const introduction = `# Clients and servers, pair by pair

Written by \`npm run matrix\`: each client loads an object of 1 KB and a body of 10 MB from each server over each
protocol, on loopback, with the protocol proven by the client's HAR and the server's log. \`unsupported\`: the client does
not speak it. An empty row: the machine that made this page did not have the client. [clients.md](clients.md) and
[servers.md](servers.md) say where each comes from.`;
