import { z } from 'zod';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { Namespace } from './namespace.ts';

/** What came of asking all name servers of a place for the root's. */
const askedSchema = z.object({
  servers: z.array(z.string()),
  /** Why none answered; null: one did, whatever it said. */
  why: z.string().nullable(),
});

/**
 * A program of Node: any answer is one, also that there is no such name. A time-out doubles with each try, so that four of them
 * outlast the loss of a bad network.
 */
const program = `const { Resolver } = require('node:dns').promises;
const resolver = new Resolver({ timeout: 1000, tries: Number(process.argv[1]) });
const say = (why) => console.log(JSON.stringify({ servers: resolver.getServers(), why }));
const silent = ['ETIMEOUT', 'ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'ECANCELLED'];
resolver.resolveNs('.').then(() => say(null), ({ code }) => say(silent.includes(code) ? code : null));`;

const triesInside = 4;
const triesHere = 2;
const timeoutMs = 60_000;

async function ask(
  prefix: readonly string[],
  tries: number,
  context: SetupContext,
): Promise<z.infer<typeof askedSchema>> {
  const [first = '', ...args] = [...prefix, process.execPath, '-e', program, String(tries)];
  const { exitCode, stdout, stderr } = await context.run(first, args, { timeoutMs });
  if (exitCode !== 0)
    throw new H2h3Error('process-failed', 'name servers cannot be asked', {
      context: { stderrTail: tailOf(stderr) },
    });
  return askedSchema.parse(JSON.parse(stdout));
}

/**
 * Why names are not resolved behind a path although they are on this machine, or that they are on neither; null where they are.
 *
 * @param client of the path's near end
 */
export async function noNamesReason(
  client: Namespace,
  context: SetupContext,
): Promise<{ readonly why: string; readonly alsoHere: boolean } | null> {
  const inside = await ask(client.userPrefix, triesInside, context);
  if (inside.why === null) return null;
  const servers = inside.servers.join(', ');
  const here = await ask([], triesHere, context);
  return here.why === null
    ? { why: `no name server answers there (${servers}: ${inside.why})`, alsoHere: false }
    : { why: `no name server answers there or here (${servers}: ${inside.why})`, alsoHere: true };
}
