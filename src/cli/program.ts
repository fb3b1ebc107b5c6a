import { realpathSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { packageDir, ownVersion } from '../app/version.ts';
import { shellWord } from '../core/model/command-words.ts';
import { H2h3Error, foreignWords } from '../core/model/errors.ts';
import { exitCodes } from '../core/model/exit-codes.ts';
import { withoutUserInformation } from '../core/model/user-information.ts';
import { addAnalyseCommand } from './commands/analyse.ts';
import { addBenchHarnessCommand } from './commands/bench-harness.ts';
import { addBrowsersCommand } from './commands/browsers.ts';
import { addServersCommand } from './commands/servers.ts';
import { addCompareCommand } from './commands/compare.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDescribeCommand } from './commands/describe.ts';
import { addDiagnoseCommand } from './commands/diagnose.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addBaselineCommand } from './commands/baseline.ts';
import { addNightlyCommand } from './commands/nightly.ts';
import { addCalibrateCommand } from './commands/calibrate.ts';
import { addFindingsCommand } from './commands/findings.ts';
import { addHelpCommand } from './commands/help.ts';
import { addHistoryCommand } from './commands/history.ts';
import { addGateCommand } from './commands/gate.ts';
import { addEncodeCommand } from './commands/encode.ts';
import { addExecCommand } from './commands/exec.ts';
import { addMergeCommand } from './commands/merge.ts';
import { addPackCommand } from './commands/pack.ts';
import { addPlanCommand } from './commands/plan.ts';
import { addRecordCommand } from './commands/record.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addReportCommand } from './commands/report.ts';
import { addReproduceCommand } from './commands/reproduce.ts';
import { addRunCommand } from './commands/run.ts';
import { addServeCallCommand } from './commands/serve-call.ts';
import { addServePathCommand } from './commands/serve-path.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addSitesCommand } from './commands/sites.ts';
import { addStudiesCommand } from './commands/studies.ts';
import { addRunsCommand } from './commands/runs.ts';
import { addWorkerCommand } from './commands/worker.ts';
import type { AddCommand, CommandContext } from './commands/command.ts';
import { narrowestToWrap } from './grouped-help.ts';
import { plainText } from './plain-text.ts';
import { printError } from './print-error.ts';

const commands: readonly AddCommand[] = [
  addRunCommand,
  addPlanCommand,
  addAnalyseCommand,
  addReportCommand,
  addCompareCommand,
  addMergeCommand,
  addPackCommand,
  addReproduceCommand,
  addWorkerCommand,
  addRunsCommand,
  addExecCommand,
  addGateCommand,
  addCalibrateCommand,
  addHistoryCommand,
  addBaselineCommand,
  addNightlyCommand,
  addStudiesCommand,
  addFindingsCommand,
  addRecordCommand,
  addReplayCommand,
  addSitesCommand,
  addDescribeCommand,
  addDiagnoseCommand,
  addDoctorCommand,
  addEncodeCommand,
  addSetupCommand,
  addBenchHarnessCommand,
  addBrowsersCommand,
  addServersCommand,
  addCompletionCommand,
  addServeCallCommand,
  addServePathCommand,
  addHelpCommand,
];

/** An address is no command, and one is meant. @throws H2h3Error `usage` */
function refuseAddress(word: string | undefined): void {
  if (word === undefined || !/^https?:\/\//i.test(word)) return;
  throw new H2h3Error('usage', `${word} is an address, and no command`, {
    next: `npx h2h3 run --url ${shellWord(word)}`,
  });
}

/** Where a command line is carried out: what commands need, and where text goes. */
export interface CommandPlace extends Pick<
  CommandContext,
  'progress' | 'signal' | 'passSignals' | 'environment'
> {
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Carries out a command line, and says what went wrong. @returns its exit code */
export async function runCommandLine(argv: readonly string[], place: CommandPlace): Promise<number> {
  const { progress, signal, passSignals, environment, writeOut, writeError } = place;
  const projectDir = realpathSync(packageDir());
  const context: CommandContext = {
    projectDir,
    progress,
    signal,
    passSignals,
    environment,
    words: argv,
    print: (text) => writeOut(plainText(text.endsWith('\n') ? text : `${text}\n`)),
    command: withoutUserInformation(['h2h3', ...argv].map(shellWord).join(' ')),
  };
  let exitCode: number = exitCodes.ok;
  const program = new Command('h2h3')
    .description(
      'Head to head, 2 against 3: HTTP/3 over QUIC against HTTP/2 over TCP, measured in real browsers',
    )
    .version(ownVersion(projectDir))
    .showSuggestionAfterError()
    .configureHelp({ minWidthToWrap: narrowestToWrap })
    .exitOverride()
    .configureOutput({ writeOut, writeErr: (text) => writeError(plainText(text)) })
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 a gate says worse, 2 usage or bad input, 3 this machine cannot do it, 4 trials failed, 5 a gate is not decided (unless --allow-undecided), or a limit under --strict, 130 interrupted',
    );
  for (const add of commands) add(program, context, (code) => (exitCode = code));
  try {
    refuseAddress(argv[0]);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    progress.clear();
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    // Whatever was under way was given up because the user asked for it.
    if (thrown instanceof Error && thrown.name === 'AbortError' && signal.aborted)
      return exitCodes.interrupted;
    // A terminal's Ctrl-C ends the bundler of the report's scripts too, which then does not answer.
    if (signal.aborted && foreignWords(thrown).startsWith('The service was stopped')) {
      progress.say('stopped while the report was written; `npx h2h3 report DIR` writes it');
      return exitCodes.interrupted;
    }
    return printError(thrown, (line) => progress.say(line));
  }
}
