/**
 * A program of its own, because it must run where the server runs (inside a network namespace):
 * node serve-held.ts MEDIA_FOLDER SOCKET [LEDGER]. Ends when it is told to, and when its starter is gone.
 */
import { createHeldOrigin } from './held-origin.ts';
import { serveOnSocket } from './media-origin.ts';

serveOnSocket('serve-held', createHeldOrigin);
