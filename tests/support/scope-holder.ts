/** Opens a run's scope with a program in it that keeps nothing of the run, says where they are, and waits to be killed. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { underLockLimit } from '../../src/core/system/processes/lock-limit.ts';
import { limitForCommand } from '../../src/core/system/processes/marked-processes.ts';
import { openRunScope } from '../../src/core/system/processes/run-scope.ts';
import { makeScratch, makeTemporary } from '../../src/core/system/temporary-folder.ts';

const { tempDir, environment } = await openRunScope(() => undefined);
const scratch = makeTemporary('scratch');
const cached = makeScratch(join(process.argv[2] ?? '', '.making-'));
const words = ['/bin/sh', '-c', `setsid env -i sleep 600.${process.pid} & wait`];
const [program = '', ...args] = underLockLimit(limitForCommand(environment), words);
spawn(program, args, { env: { ...process.env, ...environment }, stdio: 'ignore', detached: true });
process.stdout.write(`${JSON.stringify({ tempDir, scratch, cached })}\n`);
setInterval(() => undefined, 60_000);
