import { sentenceCase } from './sentence-case.ts';
/** One part of the CPU time of a client's networking process. */
export interface NetworkingPart {
  readonly id: string;
  /** In words of reports. */
  readonly title: string;
  /** Name of the counter that a trial has for it, ms of CPU time. */
  readonly counter: string;
}

function part<Id extends string>(
  kind: 'Cpu' | 'Task',
  id: Id,
  title: string,
): NetworkingPart & { readonly id: Id } {
  return { id, title, counter: `networking${kind}${sentenceCase(id)}Ms` };
}

/** What a receiving networking process computes for, in the order of the work (Zhang et al. 2024, Table 4); by symbol. */
export const networkingStages = [
  part('Cpu', 'socketRead', 'socket read'),
  part('Cpu', 'packetProcessing', 'packet processing'),
  part('Cpu', 'decryption', 'decryption'),
  part('Cpu', 'framing', 'frames and streams'),
  part('Cpu', 'acknowledgements', 'acknowledgements, and what else is sent'),
  part('Cpu', 'rest', 'rest'),
  part('Cpu', 'notSeparable', 'not separable: code without symbols'),
] as const;
export type NetworkingStage = (typeof networkingStages)[number]['id'];

/** The same by what the browser's trace calls its tasks; one task reads, decrypts and unframes. */
export const networkingTasks = [
  part('Task', 'transport', 'sockets, packets, decryption and frames (one task: not separable)'),
  part('Task', 'requests', 'requests and cache'),
  part('Task', 'handOver', 'handing bodies over to the page'),
  part('Task', 'rest', 'rest'),
] as const;
export type NetworkingTask = (typeof networkingTasks)[number]['id'];
