import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { isSocketName } from '../../../harness/network/emulator-process.ts';
import type { RunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';
import { linkVariable } from './link-variables.ts';
import type { OpenPath } from './open-path.ts';
import { answerOf, failureAnswer, readAs, type PathAnswer } from './path-answers.ts';
import { changeQuestionSchema, countQuestionSchema } from './path-message.ts';

const questionSchema = z.discriminatedUnion('type', [countQuestionSchema, changeQuestionSchema]);

/** Where a command reads and changes the network that it is behind: a socket in the file system, which every namespace has. */
export interface CommandLink {
  /** Variables of the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Begins a run over the network's own figures. @param counters at its beginning, which are taken off */
  begin(counters: Readonly<Record<string, number>>): Promise<void>;
  /** Of the network, since the run began. */
  changes(): number;
  close(): Promise<void>;
}

export async function openCommandLink(
  path: OpenPath,
  { tempDir }: Pick<RunScope, 'tempDir'>,
  context: AppContext,
): Promise<CommandLink> {
  let since: Readonly<Record<string, number>> = {};
  let changes = 0;
  const answerTo = async (line: string): Promise<PathAnswer> => {
    const question = readAs(questionSchema, line);
    path.requireAlive();
    const answer = await answerOf(question, path, since);
    if (question.type === 'change') changes += 1;
    return answer;
  };
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy()); // a command that ended wants no answer
    createInterface({ input: socket }).on('line', (line) => {
      void answerTo(line)
        .catch((thrown: unknown) => failureAnswer(thrown, context))
        .then((answer) => socket.write(`${JSON.stringify(answer)}\n`));
    });
  });
  const socketFile = join(tempDir, 'link.sock');
  // An emulated path has a longer name of its own: where there is none, there is nothing to change either.
  const environment = isSocketName(socketFile) ? { [linkVariable]: socketFile } : {};
  if (linkVariable in environment) {
    server.listen(socketFile);
    await once(server, 'listening');
  }
  return {
    environment,
    begin: async (counters) => {
      if (changes > 0) await path.change({});
      changes = 0;
      since = counters;
    },
    changes: () => changes,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      open.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}
