import type { Environment } from '../../model/environment.ts';
import { H2h3Error } from '../../model/errors.ts';

function facts(environment: Environment): Record<string, string> {
  const { machine, clients, servers, networks, pinning } = environment;
  return {
    machine: `${machine.platform}, ${machine.kernel}, ${machine.cpuModel}, ${machine.cpuCount} CPUs`,
    ...Object.fromEntries(
      clients.map((client) => [
        `client ${client.id}`,
        `${client.name} ${client.version} (${client.build}, ${client.headed ? 'headed' : 'headless'})`,
      ]),
    ),
    'CPUs of browsers and servers': `${pinning.browserCpus ?? 'any'} and ${pinning.serverCpus ?? 'any'}`,
    ...Object.fromEntries(
      servers.map((server) => [
        `server ${server.id}`,
        `${server.name} ${server.version}, TCP ${server.tcpCongestionControl}`,
      ]),
    ),
    ...Object.fromEntries(
      networks.map((network) => [`network ${network.id}`, `${network.backend}: ${network.description}`]),
    ),
  };
}

/**
 * A run that goes on must go on with the same machine, browsers and servers, or its blocks would compare
 * different things.
 *
 * @throws H2h3Error `bad-input` listing what differs.
 */
export function checkSameEnvironment(earlier: Environment, now: Environment): void {
  const before = facts(earlier);
  const after = facts(now);
  const differences = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  if (differences.length === 0) return;
  const lines = differences.map(
    (name) => `${name}: was ${before[name] ?? 'absent'}, is ${after[name] ?? 'absent'}`,
  );
  throw new H2h3Error(
    'bad-input',
    `this run cannot go on here, because its blocks would mix\n  ${lines.join('\n  ')}`,
    {
      next: 'Restore what was there, or start a new run.',
    },
  );
}
