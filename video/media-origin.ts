import { createServer, type Server, type ServerResponse } from 'node:http';
import { messageOf } from '../src/core/model/errors.ts';

/** What every answer of an origin of media says. */
export const mediaHeaders = {
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  // Not `no-store`: Chromium (123 to 156 tried) then reports a `fetch` whose body a reader has read to its end as
  // aborted, so that it could not be told from one that was cut off. Every address is asked for once, so nothing can
  // come from the cache.
  'cache-control': 'no-cache',
};

/**
 * An HTTP/1.1 server that stands behind the server under test, so that every protocol gets its bytes from here.
 *
 * @param answer ends the response to a request for a path; what it throws cuts the response off
 */
export function createMediaOrigin(
  answer: (pathname: string, response: ServerResponse) => Promise<void>,
): Server {
  return createServer((request, response) => {
    answer(URL.parse(request.url ?? '/', 'http://media')?.pathname ?? '', response).catch(
      (thrown: unknown) => {
        // The player went away, or the disk failed: a response that is cut off says so.
        response.destroy(thrown instanceof Error ? thrown : new Error(messageOf(thrown)));
      },
    );
  });
}

export function notFound(response: ServerResponse, why: string): void {
  response.writeHead(404, { ...mediaHeaders, 'content-type': 'text/plain' });
  response.end(`${why}\n`);
}

/** Runs an origin of the media in the folder of the program's first argument on the socket of its second, until it is told to end. */
export function serveOnSocket(program: string, originOf: (mediaDir: string) => Server): void {
  const [mediaDir, socket] = process.argv.slice(2);
  if (mediaDir === undefined || socket === undefined) {
    process.stderr.write(`${program}: expected MEDIA_FOLDER SOCKET\n`);
    process.exit(2);
  }
  const server = originOf(mediaDir);
  server.listen(socket);
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}
