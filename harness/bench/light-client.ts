import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import type { CommandClient, CommandRequest, CommandTransfer } from '../clients/commands/command-client.ts';
import { quicGo, quicGoProgram } from '../clients/commands/quic-go.ts';
import { ensureBuilt } from '../tools/built-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';

const limitSeconds = 120;

export interface LightDownload {
  readonly bytes: number;
  readonly seconds: number;
}

/**
 * The cheapest client there is, to see what a server alone can do.
 * @throws H2h3Error `unsupported` without Go, `process-failed` when it cannot be built.
 */
export function ensureLightClient(context: SetupContext): Promise<string> {
  return ensureBuilt(quicGoProgram, context);
}

export interface LightDownloadOptions {
  /** Absent: quic-go. It fetches one object. */
  readonly client?: CommandClient;
  /** Its program. */
  readonly file: string;
  readonly protocol: 'h2' | 'h3';
  readonly url: string;
  readonly server: { readonly address: string; readonly port: number };
  readonly spkiHash: string;
  /** Words before the command line: CPU pinning. */
  readonly prefix: readonly string[];
  /** An empty folder for what the client writes next to its output. */
  readonly scratchDir: string;
}

/** Downloads once and throws the body away. @throws H2h3Error `process-failed` with what the program said. */
export async function downloadLightly(
  context: SetupContext,
  { client = quicGo, file, protocol, url, server, spkiHash, prefix, scratchDir }: LightDownloadOptions,
): Promise<LightDownload> {
  const request = { protocol, urls: [url], server, spkiHash, limitSeconds, flags: [], scratchDir };
  const [program = file, ...rest] = [...prefix, file, ...client.arguments(request)];
  const timeoutMs = (limitSeconds + 10) * 1000;
  const result = await context.run(program, rest, { timeoutMs, signal: context.signal });
  const [transfer] = transfersOf(client, result.stdout, request);
  if (transfer === undefined || transfer.error !== undefined || transfer.status !== 200)
    throw new H2h3Error('process-failed', `${client.title} failed over ${protocol}`, {
      context: { stderrTail: (transfer?.error ?? result.stderr).trim() },
    });
  return { bytes: transfer.bodyBytes, seconds: transfer.endMs / 1000 };
}

function transfersOf(
  client: CommandClient,
  stdout: string,
  request: CommandRequest,
): readonly CommandTransfer[] {
  try {
    return client.transfers(stdout, request, 0);
  } catch (cause) {
    throw new H2h3Error('process-failed', `what ${client.title} wrote cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}
