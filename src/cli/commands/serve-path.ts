import type { AddCommand } from './command.ts';

/** The other end of the fixture for Playwright; not for people, so not in the list of commands. */
export const addServePathCommand: AddCommand = (program, context) => {
  program
    .command('serve-path', { hidden: true })
    .description('keep a path up for another program, as lines of JSON')
    .action(async () => {
      const { servePath } = await import('../../app/exec/serve-path.ts');
      return servePath(process.stdin, (line) => void process.stdout.write(line), context);
    });
};
