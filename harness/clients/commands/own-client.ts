import { z } from 'zod';
import { downloadSessionSchema, type DownloadSession } from '../../../src/core/model/session.ts';
import { protocolSchema } from '../../../src/core/model/protocol.ts';
import { endpoint } from '../../../src/core/model/wire-address.ts';
import { ensureBuilt, findBuilt, type ProgramSource } from '../../tools/built-program.ts';
import type { CommandClient, CommandRequest, CommandTransfer } from './command-client.ts';

/** A line of what the project's own programs print. */
const transferSchema = z.object({
  url: z.string(),
  status: z.number(),
  protocol: z.string(),
  bodyBytes: z.number(),
  sentBytes: z.number().optional(),
  mimeType: z.string(),
  connectStartMs: z.number(),
  connectEndMs: z.number(),
  requestStartMs: z.number(),
  responseStartMs: z.number(),
  endMs: z.number(),
  handover: downloadSessionSchema.shape.streams.element.shape.handover,
  resumption: downloadSessionSchema.shape.streams.element.shape.resumption,
  error: z.string().optional(),
});

interface OwnClient extends Pick<
  CommandClient,
  'id' | 'title' | 'installHint' | 'applies' | 'stack' | 'migrations' | 'contest' | 'environment' | 'uploads'
> {
  readonly source: ProgramSource;
}

/** A client that is a program of the project's own around a library: all of them take and print the same. */
export function ownClient({ source, ...about }: OwnClient): CommandClient {
  return {
    ...about,
    programs: [source.name],
    tool: {
      find: (context) => findBuilt(source, context),
      ensure: (context) => ensureBuilt(source, context),
    },
    parseVersion: (text) => ({
      version: /^\S+ (\S+)/.exec(text)?.[1] ?? '',
      protocols: protocolsIn(text),
    }),
    arguments: ownArguments,
    transfers: (stdout) => ownTransfers(stdout),
    timeLimitExitCode: 28,
  };
}

function protocolsIn(text: string): z.infer<typeof protocolSchema>[] {
  const words = (/^protocols:(.*)$/m.exec(text)?.[1] ?? '').trim().split(/\s+/);
  return words.flatMap((word) => protocolSchema.safeParse(word).data ?? []);
}

/** Arguments behind the program's name. */
export function ownArguments({
  protocol,
  server,
  spkiHash,
  limitSeconds,
  flags,
  factors = {},
  urls,
  body,
}: Omit<CommandRequest, 'scratchDir'>): string[] {
  return [
    // Unasked each speaks the one protocol that it is there for.
    ...(protocol === 'auto' ? [] : ['--protocol', protocol]),
    ...(server === null ? [] : ['--address', endpoint(server)]),
    ...(spkiHash === '' ? [] : ['--spki', spkiHash]),
    '--limit',
    limitSeconds.toFixed(3),
    ...factorArguments(factors),
    ...(body === undefined ? [] : ['--body', body.file]),
    ...(body === undefined || body.contentType === '' ? [] : ['--body-type', body.contentType]),
    ...flags,
    ...urls,
  ];
}

function factorArguments({
  migration,
  competingflows,
  resume,
}: NonNullable<CommandRequest['factors']>): string[] {
  return [
    ...(migration === undefined ? [] : ['--handover-after', String(migration.afterBytes)]),
    ...(migration === undefined || migration.then === 'move' ? [] : [`--handover-${migration.then}`]),
    ...(competingflows === undefined ? [] : ['--rivals', String(competingflows.count)]),
    ...(competingflows?.transport === 'quic' ? ['--rivals-protocol', 'h3'] : []),
    ...(resume === undefined ? [] : ['--resume', resume]),
  ];
}

/** A line of JSON that is no transfer. */
const contestSchema = downloadSessionSchema.shape.contest.unwrap();
const isContest = (line: string): boolean => line.startsWith('{"sampleMs":');

/** What each connection got, where there were competing flows. @throws Error when that cannot be read */
export function ownContest(stdout: string): DownloadSession['contest'] {
  const line = stdout.split('\n').find(isContest);
  return line === undefined ? undefined : contestSchema.parse(JSON.parse(line));
}

/** What it wrote on standard output. @throws Error when that cannot be read */
export function ownTransfers(stdout: string): CommandTransfer[] {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '' && !isContest(line));
  return lines.map((line) => {
    const { error, handover, resumption, sentBytes, ...told } = transferSchema.parse(JSON.parse(line));
    const whole = error === undefined && told.status === 0 ? 'no answer came' : error;
    return {
      ...told,
      headerBytes: null,
      ...(sentBytes === undefined ? {} : { sentBytes }),
      ...(handover && { handover }),
      ...(resumption && { resumption }),
      ...(whole === undefined ? {} : { error: whole }),
    };
  });
}
