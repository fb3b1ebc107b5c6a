import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CdpConnection, CdpSession } from '../../../../../harness/browsers/chromium/cdp-connection.ts';
import { Targets } from '../../../../../harness/browsers/chromium/targets.ts';

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

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const run = 'Runtime.runIfWaitingForDebugger';

test('a target that two sessions announce does not run before the commands of the first were obeyed', async () => {
  const { connection, sent, announce } = fakeBrowser();
  const targets = new Targets(connection);
  let obey = (): void => assert.fail('nothing was asked for');
  const obeyed = new Promise<void>((resolve) => (obey = resolve));
  const seen: (string | undefined)[] = [];
  targets.observe(
    (session) => {
      seen.push(session.id);
      void session.send('Network.enable');
      return obeyed;
    },
    () => undefined,
  );
  announce('root', 'first', 'worker');
  announce('root', 'second', 'worker');
  await turn();
  assert.deepEqual(seen, ['first'], 'one session of a target is enough');
  assert.deepEqual(sent, ['first: Network.enable', 'first: Target.setAutoAttach', `first: ${run}`]);
  obey();
  await turn();
  assert.equal(sent.at(-1), `second: ${run}`);
});

test('a target whose listener fails runs all the same', async () => {
  const { connection, sent, announce } = fakeBrowser();
  new Targets(connection).observe(
    () => Promise.reject(new Error('it has no network')),
    () => undefined,
  );
  announce('root', 'first', 'worker');
  announce('first', 'second', 'worker');
  await turn();
  assert.deepEqual(
    sent.filter((command) => command.endsWith(run)),
    [`first: ${run}`, `second: ${run}`],
  );
});
