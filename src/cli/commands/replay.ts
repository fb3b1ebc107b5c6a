import { plural } from '../../app/words.ts';
import { shellWord } from '../../core/model/command-words.ts';
import { portOf, type AddCommand } from './command.ts';

interface Flags {
  readonly port?: string;
  readonly thinkTime?: boolean;
  readonly deterministic?: boolean;
  readonly toHar?: string;
  readonly toWarc?: string;
}

const examples = `
Examples:
  npx h2h3 replay .h2h3/archives/example.org
  npx h2h3 run --sites .h2h3/archives/example.org      measure it instead`;

export const addReplayCommand: AddCommand = (program, context) => {
  program
    .command('replay')
    .description(
      'serve a recorded site over H1, H2 and H3 until Ctrl-C, and name every request without an answer',
    )
    .argument('<archive>', 'folder that `npx h2h3 record` made')
    .option('--port <n>', 'port of the server, TCP and UDP (default: 8443 or the next free one)')
    .option('--think-time', 'wait as long as the recorded servers did before the first byte')
    .option(
      '--deterministic',
      'the same time and random numbers for scripts in each load (default: as recorded)',
    )
    .option('--to-har <file>', 'write the archive as a HAR with bodies instead of serving it')
    .option('--to-warc <file>', 'write the archive as a WARC file (.warc.gz) instead of serving it')
    .addHelpText('after', examples)
    .action(async (archive: string, { port, thinkTime, deterministic, toHar, toWarc }: Flags) => {
      const { exportArchive, replay } = await import('../../app/site/replay.ts');
      if (toHar !== undefined || toWarc !== undefined) {
        await exportArchive(archive, { harFile: toHar, warcFile: toWarc });
        [toHar, toWarc].filter((file) => file !== undefined).forEach((file) => context.print(file));
        return;
      }
      await replay(archive, { port: portOf(port), thinkTime, deterministic }, context, {
        onServing: ({ title, hosts, address, spkiHash, resolverRules, url }) => {
          context.progress.clear();
          context.print(`${title}: ${plural(hosts, 'host')} on ${address}, H1, H2 and H3; Ctrl-C ends it`);
          const words = [
            `--ignore-certificate-errors-spki-list=${spkiHash}`,
            `--host-resolver-rules=${resolverRules}`,
            '--webrtc-ip-handling-policy=disable_non_proxied_udp',
            url,
          ];
          context.print(`chromium --user-data-dir=$(mktemp -d) ${words.map(shellWord).join(' ')}`);
          context.print('  with --disable-quic for H2, with --origin-to-force-quic-on=* for H3');
        },
        onMiss: ({ method, url }) => context.print(`not in the archive: ${method} ${url}`),
        onInexact: ({ method, url, found }) =>
          context.print(`answered, but not exactly (${found}): ${method} ${url}`),
        onMore: (count) => context.print(`${count} more requests are not in the archive`),
      });
    });
};
