/** Names by which a command line asks a server of this machine, with a port. */
const ownServer = /(?<![\w.-])(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]):(?<port>\d{1,5})(?!\d)/gi;

/** Ports of this machine's loopback that the words of a command name, each once: 3000 of `http://localhost:3000/`. */
export function ownPortsIn(command: readonly string[]): number[] {
  const found = command.flatMap((word) =>
    [...word.matchAll(ownServer)].map(({ groups }) => Number(groups?.['port'])),
  );
  return [...new Set(found)].filter((port) => port > 0 && port <= 65_535);
}
