import { serversUnderTest } from '../../core/model/live-address.ts';
import { check, type Blocker } from './check.ts';

/** An arm must not need what no server under test is said to speak. */
export const declaredProtocols = check('declared-protocols', [], ({ arms, live = {} }) => {
  const servers = serversUnderTest(live);
  const said = servers.flatMap(({ protocol }) => protocol);
  return arms.flatMap(({ label, factors: { protocol } }): Blocker[] => {
    if (servers.length === 0 || (protocol !== 'h2' && protocol !== 'h3') || said.includes(protocol))
      return [];
    return [
      {
        code: 'usage',
        reason: `arm "${label}" needs ${protocol}, which the server under test does not speak`,
        context: { expected: said.join(', '), got: protocol },
        next: 'Leave the arm out, or say that the server speaks it (protocol).',
      },
    ];
  });
});
