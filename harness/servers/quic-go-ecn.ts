import type { SenderSettings } from './sender-settings.ts';
import type { ServerLaunch } from './server-software.ts';

/** quic-go marks what it sends as ECN-capable unless this variable says otherwise. */
export function quicGoEcn(ecn: SenderSettings['ecn']): Pick<ServerLaunch, 'environment'> {
  return ecn === 'off' ? { environment: { QUIC_GO_DISABLE_ECN: 'true' } } : {};
}
