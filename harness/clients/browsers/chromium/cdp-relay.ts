import type { CdpConnection } from './cdp-connection.ts';
import type { PipeTransport } from './pipe-transport.ts';

/** Chromium ends what it says on a session with `,"sessionId":"…"}`. */
const tail = /,"sessionId":"([0-9A-F]+)"\}$/;
const maxTailBytes = 64;
const attachedPrefix = '{"method":"Target.attachedToTarget"';

/**
 * A second speaker on the pipe of a browser: it has a session with the browser of its own, and to it that session is the
 * browser. Nothing listens for it anywhere: who has no end of the pipe cannot speak.
 */
export class CdpRelay {
  readonly #transport: PipeTransport;
  readonly #root: string;
  readonly #sessions: Set<string>;
  onMessage: (message: string) => void = () => undefined;
  /** Called when the speaker ends the browser. */
  onClose: () => void = () => undefined;

  /** @param root a session with the browser that nothing else uses */
  constructor(transport: PipeTransport, root: string) {
    this.#transport = transport;
    this.#root = root;
    this.#sessions = new Set([root]);
    transport.divert((message) => this.#take(message));
  }

  static async open(connection: CdpConnection): Promise<CdpRelay> {
    const { sessionId } = await connection.root.send('Target.attachToBrowserTarget');
    return new CdpRelay(connection.transport, sessionId);
  }

  send(message: string): void {
    const { id, method, sessionId } = JSON.parse(message) as {
      readonly id: number;
      readonly method: string;
      readonly sessionId?: string;
    };
    if (method === 'Browser.close') this.onClose();
    // The harness lets every target run once all of its requests will be seen; nothing else may before.
    if (method === 'Runtime.runIfWaitingForDebugger') {
      const of = sessionId === undefined ? '' : `,"sessionId":"${sessionId}"`;
      return queueMicrotask(() => this.onMessage(`{"id":${id},"result":{}${of}}`));
    }
    const addressed =
      sessionId === undefined ? `${message.slice(0, -1)},"sessionId":"${this.#root}"}` : message;
    this.#transport.send(addressed);
  }

  #take(message: Buffer): boolean {
    const end = message.subarray(-maxTailBytes).toString('latin1');
    const sessionId = tail.exec(end)?.[1];
    if (sessionId === undefined || !this.#sessions.has(sessionId)) return false;
    const text = message.toString();
    if (text.startsWith(attachedPrefix)) {
      const { params } = JSON.parse(text) as { readonly params: { readonly sessionId: string } };
      this.#sessions.add(params.sessionId);
    }
    this.onMessage(sessionId === this.#root ? text.replace(tail, '}') : text);
    return true;
  }
}
