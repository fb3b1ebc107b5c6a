import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import type { LinkChange } from '../exec/link-types.ts';
import { linkVariable, networkVariable } from '../exec/link-variables.ts';
import type { PathQuestion } from '../exec/path-message.ts';
import { ownWords } from '../version.ts';
import { answerIn, changeQuestion, type AnswerOf } from './path-link.ts';

/** The network that this process is behind, which the command that started it keeps up. */
export interface LinkAround {
  readonly network: string;
  count(): Promise<AnswerOf<'counted'>>;
  change(figures: LinkChange | 'outage'): Promise<void>;
}

/**
 * @param environment of this process
 * @throws Error where it is behind none
 */
export function linkAround(environment: Readonly<Record<string, string | undefined>>): LinkAround {
  const { name, behind } = ownWords();
  const { [networkVariable]: network, [linkVariable]: socketFile } = environment;
  if (network === undefined || socketFile === undefined)
    throw new Error(
      `${name}: this program is behind no network\n  next: Start it by ${behind('cable')} -- COMMAND.`,
    );
  /** By a connection for each question, so that none keeps this process from ending. */
  const ask = async (question: PathQuestion): Promise<string> => {
    const socket = createConnection(socketFile);
    try {
      socket.write(`${JSON.stringify(question)}\n`);
      const [line] = (await Promise.race([
        once(createInterface({ input: socket }), 'line'),
        once(socket, 'error').then(([cause]) => Promise.reject(cause as Error)),
        once(socket, 'close').then(() => Promise.reject(new Error('the connection was closed'))),
      ])) as [string];
      return line;
    } catch (cause) {
      throw new Error(`${name} does not answer, which kept the network ${network} up`, { cause });
    } finally {
      socket.destroy();
    }
  };
  return {
    network,
    count: async () => answerIn(await ask({ type: 'count' }), 'counted', name),
    change: async (figures) => void answerIn(await ask(changeQuestion(figures)), 'changed', name),
  };
}
