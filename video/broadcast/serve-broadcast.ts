/**
 * A program of its own, because it must run where the server runs (inside a network namespace):
 * node serve-broadcast.ts MEDIA_FOLDER SOCKET [LEDGER]. Ends when it is told to, and when its starter is gone.
 */
import { nearNow } from '../../src/core/system/near-clock.ts';
import { serveOnSocket } from '../media-origin.ts';
import { createBroadcastOrigin } from './broadcast-origin.ts';

serveOnSocket('serve-broadcast', (mediaDir) => createBroadcastOrigin(mediaDir, nearNow));
