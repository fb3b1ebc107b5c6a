import type { Environment, OtherMachineFacts } from './environment.ts';

/**
 * The kind of machine that figures belong to: system, processor, CPUs and memory. The kernel's version is left out,
 * so that an update of the system does not end a history.
 */
export function machineClassOf({
  platform,
  cpuModel,
  cpuCount,
  memoryBytes,
}: Pick<Environment['machine'], 'platform' | 'cpuModel' | 'cpuCount' | 'memoryBytes'>): string {
  const gibibytes = Math.round(memoryBytes / 2 ** 30);
  return `${platform}, ${cpuModel}, ${cpuCount} CPUs, ${gibibytes} GiB`;
}

/** The same of all that a run measures on: what two machines can tell apart is no figure of one of them. */
export function machineClassOfRun({
  machine,
  ...others
}: Pick<Environment, 'machine'> & Partial<OtherMachineFacts>): string {
  return machinesOf(others, machineClassOf(machine), machineClassOf);
}

/** Words of this machine, with those of the others of a run. */
export function machinesOf(
  { serverHost, proxyHost, clientHost }: Partial<OtherMachineFacts>,
  own: string,
  wordsOf: (machine: Environment['machine']) => string,
): string {
  const others = [
    ...(serverHost === undefined ? [] : [`the server on ${wordsOf(serverHost.machine)}`]),
    ...(proxyHost === undefined ? [] : [`the proxy on ${wordsOf(proxyHost.machine)}`]),
    ...(clientHost === undefined ? [] : [`the client on ${wordsOf(clientHost.machine)}`]),
  ];
  return others.length === 0 ? own : `${own}, with ${others.join(' and ')}`;
}

/** The class as the name of a file. */
export function machineClassFileName(machineClass: string): string {
  return machineClass
    .replace(/[^\w]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}
