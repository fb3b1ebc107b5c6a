import type { RawTrial } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/**
 * What stands behind a proxy must be asked over the protocol that the proxy was set to, and for everything that the
 * proxy was asked for: one that answers out of a cache, or asks twice, measures something else.
 */
export function upstreamFindings({ upstreamLog, serverLog, testbed }: RawTrial): readonly Finding[] {
  if (upstreamLog === undefined || serverLog === null) return [];
  const protocol = testbed?.proxies.at(-1)?.upstreamProtocol;
  const other = upstreamLog.find((entry) => protocol !== undefined && entry.protocol !== protocol);
  const wrong =
    other === undefined
      ? []
      : [
          invalid(
            'proxy-differs',
            `the proxy asked the server for ${other.path} over ${other.protocol}, not ${protocol}`,
          ),
        ];
  // What is not served here (421) is refused by the proxy itself.
  const passedOn = serverLog.filter(({ status }) => status !== 421);
  const unlike =
    upstreamLog.length === passedOn.length
      ? []
      : [
          invalid(
            'proxy-differs',
            `the proxy answered ${passedOn.length} ${passedOn.length === 1 ? 'request' : 'requests'} and the server behind it ${upstreamLog.length}`,
          ),
        ];
  return [...wrong, ...unlike];
}
