import { plural } from '../../app/words.ts';
import { addTrustOptions, askTrustOf, type TrustFlags } from '../trust-options.ts';
import { portOf, type AddCommand } from './command.ts';

interface WorkerFlags extends TrustFlags {
  readonly results: string;
  readonly host?: string;
  readonly port?: string;
}

const examples = `
Examples:
  export H2H3_WORKERS_KEY=$(openssl rand -hex 32)          once; the same on all machines, the coordinator's too
  npx h2h3 worker redis://lab:6379 --results /net/lab      on each machine of the lab
  npx h2h3 run my-plan.yaml --workers redis://lab:6379 --results /net/lab    once, on any machine
  npx h2h3 worker 'rediss://lab:\${QUEUE_PASSWORD}@lab:6380/2' --results /net/lab --host lab-3

A worker waits for a run, shows that its machine is like the others, and takes one lease after the other: a block of one
client, network and server, with all pages and arms. It ends with the run. A lease is never run twice. A password is named in
single quotes, '\${NAME}' (environment) or '\${file:PATH}': one that is written is refused, because others can read it.

H2H3_WORKERS_KEY, or the file that H2H3_WORKERS_KEY_FILE names, is the key that coordinator and workers share: a worker refuses
every plan that is not signed with it. A plan that starts programs, reads files or loads live addresses is left alone unless the
worker has --trust, which asks at its terminal, or --trust-all.`;

export const addWorkerCommand: AddCommand = (program, context) => {
  const command = program
    .command('worker')
    .description('take part in a run that several machines share')
    .argument('<url>', 'Redis or Valkey where the machines meet, such as redis://lab:6379')
    .requiredOption(
      '--results <place>',
      'folder that all machines see, or s3://bucket/prefix; the same for all of a run',
    )
    .option('--host <name>', 'what records call this machine (default: its own name)')
    .option('--port <n>', 'port of the server, TCP and UDP (default: 8443 or the next free one)');
  addTrustOptions(command)
    .addHelpText('after', examples)
    .action(async (workers: string, { results, host, port, ...flags }: WorkerFlags) => {
      const { work } = await import('../../app/workers/work.ts');
      const leases = await work(
        { workers, results, host, port: portOf(port), trust: askTrustOf(flags, context) },
        context,
      );
      context.progress.clear();
      context.print(`the run is over: ${plural(leases, 'lease')} were run here`);
    });
};
