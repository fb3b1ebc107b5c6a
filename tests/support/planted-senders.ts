import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendersSchema, type MeasuredProperty, type Senders } from '../../src/core/model/senders.ts';

/** Of `harness/servers/go-origin/planted-faults.go`. */
export const faultVariable = 'H2H3_PLANTED_FAULT';

/** Faults of the project's own Go server over QUIC, and the property by which each is to be named. */
export const plantedFaults: readonly (readonly [fault: string, property: string])[] = [
  ['initial-window-100', 'first-flight'],
  ['no-loss-reaction', 'loss-rate'],
  ['no-pacing', 'burst'],
  ['cuts-to-a-quarter', 'one-loss-window'],
  ['steady-timeout', 'outage-probes'],
  ['no-amplification-limit', 'amplification'],
  ['ignores-marks', 'marks'],
  ['rare-acks', 'server-acks'],
  ['window-after-rest', 'rested-burst'],
  ['one-answer-at-a-time', 'slow-reader'],
];

export function readSenders(folder: string): Senders {
  return sendersSchema.parse(JSON.parse(readFileSync(join(folder, 'senders.json'), 'utf8')));
}

/** One property of the server over HTTP/3. */
export function overHttp3({ senders }: Senders, property: string): MeasuredProperty | undefined {
  return senders
    .find(({ protocol }) => protocol === 'h3')
    ?.properties.find((measured) => measured.property === property);
}
