import type { Arm } from '../../model/plan.ts';
import type { ArmProtocol } from '../../model/protocol.ts';

const protocolNames: Readonly<Record<ArmProtocol, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  auto: 'the browser’s own choice of protocol',
};

/** An arm in words: `HTTP/3`, `HTTP/2 (h2#2)` for a repeated arm, `HTTP/3 in chromium@153`. */
export function armName(arm: Arm): string {
  const repeated = arm.label.includes('#') ? ` (${arm.label})` : '';
  const client = arm.client === undefined ? '' : ` in ${arm.client}`;
  return protocolNames[arm.protocol] + client + repeated;
}
