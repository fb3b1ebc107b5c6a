import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  CdpConnection,
  CdpSession,
} from '../../../../../../harness/clients/browsers/chromium/cdp-connection.ts';
import { Targets } from '../../../../../../harness/clients/browsers/chromium/targets.ts';

interface FakeBrowser {
  readonly connection: CdpConnection;
  /** `session: command`, in the order in which they were sent. */
  readonly sent: string[];
  readonly announce: (by: string, sessionId: string, targetId: string) => void;
}

/** A browser that answers every command at once. */
function fakeBrowser(): FakeBrowser {
  const sent: string[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const sessions = new Map<string, CdpSession>();
  const session = (id: string): CdpSession => {
    const known = sessions.get(id);
    if (known) return known;
    const made = {
      id,
      send: (command: string) => Promise.resolve(void sent.push(`${id}: ${command}`)),
      on: (event: string, listener: (event: object) => void) => listeners.set(`${id} ${event}`, listener),
    } as unknown as CdpSession;
    sessions.set(id, made);
    return made;
  };
  return {
    connection: { root: session('root'), session } as unknown as CdpConnection,
    sent,
    announce: (by, sessionId, targetId) => {
      const targetInfo = { targetId, type: 'service_worker' };
      listeners.get(`${by} Target.attachedToTarget`)?.({ sessionId, targetInfo, waitingForDebugger: true });
    },
  };
}

const run = 'Runtime.runIfWaitingForDebugger';

test('whichever of the sessions of a target lets it run, that one has been told to listen before', () => {
  const { connection, sent, announce } = fakeBrowser();
  new Targets(connection).observe(
    (session) => void session.send('Network.enable'),
    () => undefined,
  );
  announce('root', 'first', 'worker');
  announce('root', 'second', 'worker');
  for (const session of ['first', 'second'])
    assert.deepEqual(
      sent.filter((command) => command.startsWith(session)),
      [`${session}: Network.enable`, `${session}: Target.setAutoAttach`, `${session}: ${run}`],
    );
});
