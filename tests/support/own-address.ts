import os from 'node:os';

/** An address of this machine that is reached from outside of it, too: a path that leads out of a namespace reaches it. */
export function ownAddress(): string | undefined {
  const all = Object.values(os.networkInterfaces()).flatMap((one) => one ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
