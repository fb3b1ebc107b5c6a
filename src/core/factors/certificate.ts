import { defineFactor } from './factor.ts';
import { sizeIn, wholeNumberIn } from './forms.ts';

/** Below it a key of RSA, a signature and a name have no room; above it clients refuse chains. */
const minBytes = 1000;
const mostBytes = 40 * 1024;
const sizes = ['1kb', '4kb', '9kb', '16kb', '22kb'];

function bytesIn(text: string): number | undefined {
  if (sizes.includes(text)) return sizeIn(text, 1024);
  const bytes = wholeNumberIn(text, 'b');
  return bytes !== undefined && bytes >= minBytes && bytes <= mostBytes ? bytes : undefined;
}

/** How long the certificate chain of each host is, in DER. */
export const certificate = defineFactor({
  id: 'certificate',
  title: 'a certificate chain of',
  example: '1kb, 4kb, 9kb, 16kb, 22kb',
  unsetLabel: 'a certificate chain of 0.5 kB',
  form: {
    words: `${sizes.join(', ')} (1 kb is 1024 bytes), or a number of bytes from ${minBytes} to ${mostBytes} such as 5113b`,
    read: (text) => {
      const bytes = bytesIn(text);
      return bytes === undefined ? undefined : { bytes };
    },
    write: ({ bytes }: { readonly bytes: number }) =>
      sizes.find((size) => sizeIn(size, 1024) === bytes) ?? `${bytes}b`,
  },
  honouredBy: ['sender'],
  setBy: 'random bytes that make its leaves that long',
  provenBy: 'a handshake',
  readBack: 'testbed.server.handshake.chainBytes',
});
