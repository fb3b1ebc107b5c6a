import type { AppContext } from '../../src/app/app-context.ts';
import { projectDir } from './cli.ts';
import { silent } from './silent-progress.ts';

/** Context of a use case, and the lines that it said. */
export function contextThatSays(environment: AppContext['environment'] = {}): {
  readonly context: AppContext;
  readonly said: readonly string[];
} {
  const said: string[] = [];
  const context: AppContext = {
    projectDir,
    progress: { ...silent, say: (line) => void said.push(line) },
    command: 'test',
    signal: new AbortController().signal,
    environment,
  };
  return { context, said };
}
