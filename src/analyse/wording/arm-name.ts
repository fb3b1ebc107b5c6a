import type { Arm } from '../../model/plan.ts';
import type { ArmProtocol } from '../../model/protocol.ts';

const protocolNames: Readonly<Record<ArmProtocol, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  auto: 'the browser’s own choice of protocol',
};

/** The same for an arm of which only the label is known, such as `chromium@153:h3`; a label of another form stays. */
export function armNameOfLabel(label: string): string {
  const { client, protocol } =
    /^(?:(?<client>.+):)?(?<protocol>h1|h2|h3|auto)(?:#\d+)?$/.exec(label)?.groups ?? {};
  if (protocol === undefined) return label;
  return armName({ label, protocol: protocol as ArmProtocol, ...(client === undefined ? {} : { client }) });
}

/** An arm in words: `HTTP/3`, `HTTP/2 (h2#2)` for a repeated arm, `HTTP/3 in chromium@153`. */
export function armName(arm: Arm): string {
  const repeated = arm.label.includes('#') ? ` (${arm.label})` : '';
  const client = arm.client === undefined ? '' : ` in ${arm.client}`;
  return protocolNames[arm.protocol] + client + repeated;
}
