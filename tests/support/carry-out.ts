/**
 * Carries out command lines of the checkout that it lies in, one after the other in one process, and prints what each came to as JSON.
 * Usage: node carry-out.ts '[["plan", "download"], ["describe", "probes"]]'
 */
import { z } from 'zod';
import { runCliHere } from './cli.ts';

const ended: Awaited<ReturnType<typeof runCliHere>>[] = [];
for (const words of z.array(z.array(z.string())).parse(JSON.parse(process.argv[2] ?? '')))
  ended.push(await runCliHere(words));
process.stdout.write(JSON.stringify(ended));
