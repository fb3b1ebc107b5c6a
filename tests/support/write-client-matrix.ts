import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { listClients } from '../../harness/clients/list-clients.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import type { TrialRecord } from '../../src/model/record.ts';
import { projectDir, readRecords, startCli } from './cli.ts';

/**
 * Loads one object and one body of 10 MB with every client that is set up here, from every server, over both protocols,
 * and writes what came of it: `npm run matrix`. A few minutes.
 */
const protocols = ['h2', 'h3'] as const;
const workloads = ['download-1kb', 'download-10mb'];
const target = join(projectDir, 'docs/client-matrix.md');

const setup = await createSetupContext({ projectDir });
const listed = await listClients(setup);
const found = listed.flatMap((client) => client.found ?? []);
const absent = listed.filter((client) => client.found === null);

const speaks = ({ protocols: spoken }: ClientIdentity, protocol: (typeof protocols)[number]): boolean =>
  spoken === undefined || spoken.includes(protocol);
const armOf = (client: string, protocol: string, server: string): string =>
  `${client}:${protocol}+server=${server}`;

function runAll(folder: string): Promise<unknown> {
  const arms = found.flatMap((client) =>
    protocols.flatMap((protocol) =>
      speaks(client, protocol) ? serverSoftware.map(({ id }) => armOf(client.id, protocol, id)) : [],
    ),
  );
  const words = ['run', '--workload', workloads.join(','), '--repetitions', '1', '--exploratory'];
  const cli = startCli([...words, '--out', folder, ...arms.flatMap((arm) => ['--arm', arm])]);
  cli.child.stderr?.pipe(process.stderr);
  return cli.result;
}

/** Numbered reasons below the table. */
const notes: string[] = [];

function cell(client: ClientIdentity, server: string, records: readonly TrialRecord[]): string {
  return protocols
    .flatMap((protocol) => {
      if (!speaks(client, protocol)) return [];
      const own = records.filter(({ arm }) => arm === armOf(client.id, protocol, server));
      const bad = own.find(({ status }) => status !== 'ok');
      if (bad === undefined && own.length === workloads.length) return [protocol];
      const reason = `${bad?.status ?? 'not-run'}: ${bad?.reason ?? 'no record'}`;
      if (!notes.includes(reason)) notes.push(reason);
      return [`~~${protocol}~~ (${notes.indexOf(reason) + 1})`];
    })
    .join(', ');
}

async function page(records: readonly TrialRecord[]): Promise<string> {
  const head = ['client', ...serverSoftware.map(({ id }) => id)];
  const rows = found.map((client) => {
    return [
      `\`${client.id}\` ${client.version}`,
      ...serverSoftware.map(({ id }) => cell(client, id, records)),
    ];
  });
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  const text = `# Clients and servers

Which client loads from which server over what, one object of 1 KB and one body of 10 MB each, the protocol proven by the
client's HAR and the server's log. Made by \`npm run matrix\`; what a client does not speak is left out, what it speaks and
could not do is struck out with the reason below.

${lines.join('\n')}

${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}

${absent.length === 0 ? '' : `Not on the machine that made this: ${absent.map(({ id }) => `\`${id}\``).join(', ')}.`}
`;
  return format(text, { parser: 'markdown' });
}

const folder = mkdtempSync(join(tmpdir(), 'h2h3-matrix-'));
try {
  await runAll(join(folder, 'run'));
  writeFileSync(target, await page(readRecords(join(folder, 'run'))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
