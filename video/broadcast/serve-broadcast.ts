/**
 * A program of its own, because it must run where the server runs (inside a network namespace):
 * node serve-broadcast.ts MEDIA_FOLDER SOCKET [LEDGER]. Ends when it is told to, and when its starter is gone.
 */
import { createBroadcastOrigin } from './broadcast-origin.ts';

const [mediaDir, socket] = process.argv.slice(2);
if (mediaDir === undefined || socket === undefined) {
  process.stderr.write('serve-broadcast: expected MEDIA_FOLDER SOCKET\n');
  process.exit(2);
} else {
  const server = createBroadcastOrigin(mediaDir);
  server.listen(socket);
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}
