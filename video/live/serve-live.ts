/**
 * A program of its own, because it must run where the server runs (inside a network namespace):
 * node serve-live.ts MEDIA_FOLDER SOCKET [LEDGER]. Ends when it is told to, and when whoever started it is gone.
 */
import { createLiveOrigin } from './live-origin.ts';

const [mediaDir, socket] = process.argv.slice(2);
if (mediaDir === undefined || socket === undefined) {
  process.stderr.write('serve-live: expected MEDIA_FOLDER SOCKET\n');
  process.exit(2);
} else {
  const server = createLiveOrigin(mediaDir);
  server.listen(socket);
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}
