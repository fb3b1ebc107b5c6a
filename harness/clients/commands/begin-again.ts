import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Migration } from '../../../src/core/factors/connecting.ts';
import { moduleFile } from '../../../src/core/system/module-file.ts';
import type { CommandClient, CommandRequest, CommandTransfer } from './command-client.ts';

/** Stands in the words of the second beginning for the address that only the machine of the client knows. */
export const otherAddressMark = '@other-address@';

/** What the program that begins again is told. */
export interface BeginAgainOrder {
  readonly program: string;
  readonly server: { readonly address: string; readonly port: number };
  /** Arguments of the first beginning, which writes the body to its standard output. */
  readonly words: readonly string[];
  /** Of the second, from the other address. */
  readonly againWords: readonly string[];
  /** The first is left when so much of the body has come. */
  readonly afterBytes: number;
  /** What the second brings at first that had come before. */
  readonly knownBytes: number;
}

/** One of the two; times in ms after the program was told to begin. */
const oneBeginningSchema = z.object({
  startMs: z.number(),
  firstByteMs: z.number().nullable(),
  endMs: z.number(),
  bodyBytes: z.number(),
  exitCode: z.number(),
  /** What it wrote on standard error: its own account of the transfer. */
  text: z.string(),
});
export type OneBeginning = z.infer<typeof oneBeginningSchema>;

const resultSchema = z.object({
  first: oneBeginningSchema,
  /** Absent: the first had ended before it was to be left. */
  again: oneBeginningSchema.optional(),
  lostMs: z.number().optional(),
  recoveredMs: z.number().nullable().optional(),
});
export type BeginAgainResult = z.infer<typeof resultSchema>;

/** Whether the transfer of this request loses its address, and its client is begun again then. */
export function beginsAgain(client: CommandClient, { factors }: CommandRequest): boolean {
  return client.restartArguments !== undefined && factors?.migration !== undefined;
}

const keptBytes = ({ afterBytes, then }: Migration): number => (then === 'restart' ? 0 : afterBytes);

/** The two requests that one becomes, each with a folder of its own. */
function bothOf(request: CommandRequest): [CommandRequest, CommandRequest] {
  const folderOf = (name: string): string => path.join(request.scratchDir, name);
  return [
    { ...request, scratchDir: folderOf('first') },
    { ...request, scratchDir: folderOf('again') },
  ];
}

/** Command line of the program that runs a client twice, whatever it is told on its standard input. */
export function beginAgainWords(
  client: CommandClient,
  executable: string,
  request: CommandRequest,
): string[] {
  const { urls, factors } = request;
  const [url] = urls;
  if (client.restartArguments === undefined || factors?.migration === undefined || url === undefined)
    throw new Error(`${client.id} loses no address here`);
  const [first, again] = bothOf(request);
  for (const { scratchDir } of [first, again]) mkdirSync(scratchDir, { recursive: true });
  const { hostname, port } = new URL(url);
  const kept = keptBytes(factors.migration);
  const order: BeginAgainOrder = {
    program: executable,
    server: request.server ?? { address: hostname, port: Number(port || 443) },
    words: client.arguments(first),
    againWords: client.arguments({
      ...again,
      flags: [...again.flags, ...client.restartArguments(otherAddressMark, kept)],
    }),
    afterBytes: factors.migration.afterBytes,
    knownBytes: factors.migration.afterBytes - kept,
  };
  return [process.execPath, moduleFile('./begin-again-program.ts', import.meta.url), JSON.stringify(order)];
}

/** What became of the whole, as one transfer. @throws Error when it cannot be read */
export function beginAgainTransfers(
  client: CommandClient,
  stdout: string,
  request: CommandRequest,
): readonly CommandTransfer[] {
  const { first, again, lostMs, recoveredMs } = resultSchema.parse(JSON.parse(stdout));
  const [firstRequest, againRequest] = bothOf(request);
  const { migration } = request.factors ?? {};
  const told = (beginning: OneBeginning, of: CommandRequest): CommandTransfer | undefined =>
    client.transfers(beginning.text, of, beginning.endMs - beginning.startMs)[0];
  const before = told(first, firstRequest);
  const after = again === undefined ? undefined : told(again, againRequest);
  if (before === undefined) throw new Error('the first of both tells of no transfer');
  if (migration === undefined || again === undefined || after === undefined || lostMs === undefined)
    return [{ ...before, error: before.error ?? 'the transfer had ended before the address was to be lost' }];
  const at = (ms: number): number => first.startMs + ms;
  const kept = keptBytes(migration);
  const wrong =
    after.error ??
    (kept > 0 && after.status !== 206
      ? `the server answered a request for the rest with status ${after.status}`
      : (recoveredMs ?? null) === null
        ? 'nothing came that had not come before'
        : undefined);
  return [
    {
      ...after,
      connectStartMs: at(before.connectStartMs),
      connectEndMs: at(before.connectEndMs),
      requestStartMs: at(before.requestStartMs),
      responseStartMs: first.firstByteMs ?? at(before.responseStartMs),
      endMs: again.endMs,
      handover: {
        lostMs,
        recoveredMs: recoveredMs ?? lostMs,
        keptBytes: kept,
        brokenBytes: migration.afterBytes,
      },
      error: wrong,
    },
  ];
}
