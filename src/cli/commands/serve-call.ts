import type { AddCommand } from './command.ts';

/** The other end of the library's calls from another Node; not for people, so not in the list of commands. */
export const addServeCallCommand: AddCommand = (program, context) => {
  program
    .command('serve-call', { hidden: true })
    .description('answer one call of the library, as lines of JSON')
    .action(async () => {
      const { serveCall } = await import('../../app/api/serve-call.ts');
      return serveCall(process.stdin, (line) => void process.stdout.write(line), context);
    });
};
