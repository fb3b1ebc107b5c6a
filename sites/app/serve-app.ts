/**
 * What connects a server under test with an app of this machine, as a program: it runs outside of the server's namespace, where
 * the app is. Usage: node serve-app.ts ROUTE SOCKET LEDGER; ROUTE is JSON (`appRouteSchema`). Ends with SIGTERM.
 */
import { createWriteStream } from 'node:fs';
import { appRouteSchema } from '../../src/core/model/app-under-test.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { createAppOrigin } from './app-origin.ts';

if (import.meta.main) {
  const [route = '', socket = '', ledgerFile = ''] = process.argv.slice(2);
  try {
    const ledger = createWriteStream(ledgerFile, { flags: 'a' });
    const server = createAppOrigin({
      route: appRouteSchema.parse(JSON.parse(route)),
      onLine: (line) => void ledger.write(`${JSON.stringify(line)}\n`),
    });
    server.listen(socket);
    process.on('SIGTERM', () => process.exit(0));
  } catch (thrown) {
    process.stderr.write(`${messageOf(thrown)}\n`);
    process.exit(1);
  }
}
