import { setup } from '../../app/machine/setup.ts';
import type { AddCommand } from './command.ts';

export const addSetupCommand: AddCommand = (program, context) => {
  program
    .command('setup')
    .description('fetch and build what the benches need, now instead of at the first run')
    .option('--system', "install Debian's chromium, firefox-esr, ffmpeg and what tests need, by apt-get")
    .addHelpText('after', '\nExamples:\n  h2h3 setup\n  sudo npx h2h3 setup --system')
    .action(async (flags: { system?: boolean }) => {
      const installed = await setup(flags, context);
      context.progress.clear();
      installed.forEach((line) => context.print(line));
    });
};
