/**
 * A build of an app: a page with a script, each answered so late. It listens at the port in `PORT`, or at the one that it is told.
 * Usage: node slow-build.ts DELAY_MS [PORT]
 */
import { createServer } from 'node:http';

const [delay = '0', port = process.env['PORT'] ?? ''] = process.argv.slice(2);
const page =
  '<!doctype html><link rel=icon href="data:,"><title>build</title><p>text<script src="/script.js"></script>';

const server = createServer(({ url = '/' }, response) => {
  const [type, body] = url === '/' ? ['text/html', page] : ['text/javascript', 'document.title = "ready"'];
  setTimeout(() => response.writeHead(200, { 'content-type': type }).end(body), Number(delay));
});
server.on('error', ({ message }) => {
  process.stderr.write(`the build cannot listen: ${message}\n`);
  process.exit(9);
});
server.listen(Number(port), '127.0.0.1');
