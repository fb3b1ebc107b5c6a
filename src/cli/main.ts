import { realpathSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { H2h3Error, hasErrno, messageOf } from '../model/errors.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { withoutUserInformation } from '../model/user-information.ts';
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
import { addHistoryCommand } from './commands/history.ts';
import { addGateCommand } from './commands/gate.ts';
import { addEncodeCommand } from './commands/encode.ts';
import { addExecCommand } from './commands/exec.ts';
import { addMergeCommand } from './commands/merge.ts';
import { addPlanCommand } from './commands/plan.ts';
import { addRecordCommand } from './commands/record.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addReportCommand } from './commands/report.ts';
import { addRunCommand } from './commands/run.ts';
import { addServeCallCommand } from './commands/serve-call.ts';
import { addServePathCommand } from './commands/serve-path.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addSitesCommand } from './commands/sites.ts';
import { addStudiesCommand } from './commands/studies.ts';
import { addRunsCommand } from './commands/runs.ts';
import { addWorkerCommand } from './commands/worker.ts';
import type { AddCommand } from './commands/command.ts';
import { narrowestToWrap } from './grouped-help.ts';
import { plainText } from './plain-text.ts';
import { printError } from './print-error.ts';
import { TerminalProgress } from './progress.ts';
import { StopSignals } from './stop-signals.ts';
import { shellWord } from '../model/command-words.ts';
import { ownVersion, packageDir } from '../app/version.ts';

const commands: readonly AddCommand[] = [
  addRunCommand,
  addPlanCommand,
  addAnalyseCommand,
  addReportCommand,
  addCompareCommand,
  addMergeCommand,
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
];

/** A reader that has seen enough, such as `head`, closes the pipe: that is no fault. */
function endOnClosedPipe(): void {
  process.stdout.on('error', (cause) => {
    if (hasErrno(cause, 'EPIPE')) process.exit(exitCodes.ok);
    process.exit(printError(cause, (line) => void process.stderr.write(`${plainText(line)}\n`)));
  });
  // Progress that is no longer read, because npm or the terminal is gone, must not keep a run from ending well.
  process.stderr.on('error', (cause) => {
    if (!hasErrno(cause, 'EPIPE') && !hasErrno(cause, 'EIO')) throw cause;
  });
}

/** Node would print all that an error holds, such as the arguments of the command by which a queue was logged in to. */
function endInWords(progress: TerminalProgress): void {
  process.on('uncaughtException', (thrown) => process.exit(printError(thrown, (line) => progress.say(line))));
}

/** An address is no command, and one is meant. @throws H2h3Error `usage` */
function refuseAddress(word: string | undefined): void {
  if (word === undefined || !/^https?:\/\//i.test(word)) return;
  throw new H2h3Error('usage', `${word} is an address, and no command`, {
    next: `npx h2h3 run --url ${shellWord(word)}`,
  });
}

async function main(argv: readonly string[]): Promise<number> {
  const projectDir = realpathSync(packageDir());
  const progress = new TerminalProgress();
  endOnClosedPipe();
  endInWords(progress);
  const stopSignals = new StopSignals(progress);
  const context = {
    projectDir,
    progress,
    signal: stopSignals.signal,
    passSignals: stopSignals.pass,
    print: (text: string) => void process.stdout.write(plainText(text.endsWith('\n') ? text : `${text}\n`)),
    command: withoutUserInformation(['h2h3', ...argv].map(shellWord).join(' ')),
    environment: process.env,
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
    .configureOutput({ writeErr: (text) => void process.stderr.write(plainText(text)) })
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 a gate says worse, 2 usage or bad input, 3 this machine cannot do it, 4 trials failed, 5 not decided under --strict, 130 interrupted',
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
    if (thrown instanceof Error && thrown.name === 'AbortError' && context.signal.aborted)
      return exitCodes.interrupted;
    // A terminal's Ctrl-C ends the bundler of the report's scripts too, which then does not answer.
    if (context.signal.aborted && messageOf(thrown).startsWith('The service was stopped')) {
      progress.say('stopped while the report was written; `npx h2h3 report DIR` writes it');
      return exitCodes.interrupted;
    }
    return printError(thrown, (line) => progress.say(line));
  }
}

process.exitCode = await main(process.argv.slice(2));
