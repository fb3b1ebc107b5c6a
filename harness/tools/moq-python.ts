import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './built-program.ts';
import { pythonProgram } from './python-program.ts';
import type { SetupContext } from './setup-context.ts';

const source = pythonProgram({
  name: 'moq-python',
  sourceDir: fileURLToPath(new URL('moq-python/', import.meta.url)),
});

/**
 * A Python that has the wheels of Media over QUIC, in the tool cache; made where it is not there yet.
 *
 * @returns a program that takes a script and its arguments
 * @throws H2h3Error `unsupported` without Python, or where the wheels cannot be had
 */
export const ensureMoqPython = (context: SetupContext): Promise<string> => ensureBuilt(source, context);
