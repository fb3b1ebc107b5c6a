import { isDeepStrictEqual } from 'node:util';
import { H2h3Error } from '../../src/core/model/errors.ts';

/** What factors say, which must be the same after it was sent. @throws H2h3Error `internal` */
export function asSent(settings: object): Record<string, unknown> {
  const sent = JSON.parse(JSON.stringify(settings)) as Record<string, unknown>;
  if (!isDeepStrictEqual(sent, { ...settings }))
    throw new H2h3Error('internal', 'a factor cannot be sent to another machine');
  return sent;
}
