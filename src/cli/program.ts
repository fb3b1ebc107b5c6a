import { shellWord } from '../core/model/command-words.ts';
import { H2h3Error } from '../core/model/errors.ts';
import { h2h3Words } from '../core/model/program-words.ts';
import { addAnalyseCommand } from './commands/analyse.ts';
import { addBenchHarnessCommand } from './commands/bench-harness.ts';
import { addBrowsersCommand } from './commands/browsers.ts';
import { addSendersCommand } from './commands/senders.ts';
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
import { addQuestionCommand, addQuestionsCommand } from './commands/questions.ts';
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
import type { AddCommand } from './commands/command.ts';
import { runProgram, type CommandPlace } from './run-program.ts';

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
  addQuestionsCommand,
  addQuestionCommand,
  addSendersCommand,
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

/** Carries out a command line, and says what went wrong. @returns its exit code */
export function runCommandLine(argv: readonly string[], place: CommandPlace): Promise<number> {
  const description =
    'Head to head, 2 against 3: HTTP/3 over QUIC against HTTP/2 over TCP, measured in real browsers';
  const add: AddCommand = (program, context, exit) => {
    refuseAddress(argv[0]);
    program.addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 a gate says worse, 2 usage or bad input, 3 this machine cannot do it, 4 trials failed, 5 a gate is not decided (unless --allow-undecided), or a limit under --strict, 130 interrupted',
    );
    for (const each of commands) each(program, context, exit);
  };
  return runProgram({ words: h2h3Words, description, add }, argv, place);
}
