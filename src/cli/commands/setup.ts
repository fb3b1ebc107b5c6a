import type { AddCommand } from './command.ts';

export const addSetupCommand: AddCommand = (program, context) => {
  program
    .command('setup')
    .description('fetch and build the programs that runs need, now instead of at the first run')
    .option('--system', "install Debian's chromium, firefox-esr, ffmpeg and what tests need, by apt-get")
    .option('--with <list>', 'with --system, what few need: webkit, sshd, arm64')
    .addHelpText(
      'after',
      '\nExamples:\n  npx h2h3 setup\n  sudo npx h2h3 setup --system\n  sudo npx h2h3 setup --system --with webkit',
    )
    .action(async (flags: { system?: boolean; with?: string }) => {
      const { setup } = await import('../../app/machine/setup.ts');
      const { system, with: parts } = flags;
      const installed = await setup({ system, with: parts?.split(',') }, context);
      context.progress.clear();
      installed.forEach((line) => context.print(line));
    });
};
