import { describeEmbeddedChromium } from './browsers/embedded-chromium.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { ClientIdentity } from './client.ts';
import { knownClients } from './client-catalogue.ts';
import { findKnownClient } from './find-client.ts';

/** A client that can be named, and what was found of it on this machine. */
export interface ListedClient {
  readonly id: string;
  readonly title: string;
  /** Null: not on this machine. The embedded one is found before it is fetched. */
  readonly found: ClientIdentity | null;
  /** What installs it. */
  readonly installHint: string;
}

/** Every client that can be named, in order of preference. Unpacks nothing. */
export async function listClients(context: SetupContext): Promise<ListedClient[]> {
  const listed = await Promise.all(
    knownClients.map(async (known) => ({
      id: known.id,
      title: known.name,
      found: (await findKnownClient(known, context)) ?? null,
      installHint: known.installHint,
    })),
  );
  const embedded = (await describeEmbeddedChromium(context)) ?? null;
  const title = embedded?.name ?? 'Chromium headless shell (embedded)';
  return [
    ...listed,
    {
      id: 'embedded',
      title,
      found: embedded,
      installHint: 'it comes for Linux on x64 only',
    },
  ];
}
