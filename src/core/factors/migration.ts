import { defineFactor } from './factor.ts';
import { sizeIn, sizeText } from './forms.ts';

/** When a client loses its address, and what it does then. */
export interface Migration {
  /** Bytes of the body that have come by then. */
  readonly afterBytes: number;
  /**
   * `move`: the connection where its protocol can, else as `reconnect`: asks for the rest over another; `restart`: for
   * all; `rebind`: the port alone changes and neither end is told, as when a NAT forgets it.
   */
  readonly then: 'move' | 'reconnect' | 'restart' | 'rebind';
}

const written = /^(?<size>[1-9]\d{0,3}(?:kb|mb))(?:-(?<then>reconnect|restart|rebind))?$/;

/** 1 mb is 10^6 bytes, as in the names of downloads. */
function read(text: string): Migration | undefined {
  const { size = '', then = 'move' } = written.exec(text)?.groups ?? {};
  const afterBytes = sizeIn(size, 1000);
  return afterBytes === undefined ? undefined : { afterBytes, then: then as Migration['then'] };
}

const afterwards: Readonly<Record<Migration['then'], string>> = {
  move: '',
  reconnect: ' and a new connection',
  restart: ' and a new start',
  rebind: '',
};

/** `its address lost after 2 MB and a new start`. */
function wordsOf(text: string): string {
  const value = read(text);
  if (value === undefined) return text;
  const { afterBytes, then } = value;
  const size = afterBytes % 1e6 === 0 ? `${afterBytes / 1e6} MB` : `${afterBytes / 1e3} KB`;
  return `its ${then === 'rebind' ? 'port' : 'address'} lost after ${size}${afterwards[then]}`;
}

export const migration = defineFactor({
  id: 'migration',
  title: 'loss of the address after',
  example: '2mb, 2mb-restart',
  unsetLabel: 'one address throughout',
  words: wordsOf,
  form: {
    words: 'bytes of the body such as 2mb, with -reconnect, -restart or -rebind behind it',
    read,
    write: ({ afterBytes, then }: Migration) =>
      `${sizeText(afterBytes, 1000)}${then === 'move' ? '' : `-${then}`}`,
  },
  honouredBy: ['client'],
  setBy: 'quic-go, quiche, curl and wget2, which lose the address',
  provenBy: 'both requests in the server’s log',
  readBack: 'serverLog.path',
});
