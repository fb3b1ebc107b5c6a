/**
 * A server that a run starts by a command line: HTTP/2 and HTTP/1.1. It ends with exit code 7 when its page was loaded for
 * the third time, and makes a file by which the next one of its kind stays. Usage: node dying-server.ts CERTIFICATE KEY PORT FILE
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';

if (process.env['OWN_TITLE'] === undefined) throw new Error('the environment did not come along');
const [certificate = '', key = '', port = '0', diedFile = ''] = process.argv.slice(2);
let asked = 0;
const server = createSecureServer(
  { cert: readFileSync(certificate), key: readFileSync(key), allowHTTP1: true },
  ({ url }, response) => {
    if (url === '/loaded' && ++asked === 3 && !existsSync(diedFile)) {
      writeFileSync(diedFile, '');
      process.exit(7);
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      url === '/'
        ? `<!doctype html><link rel=icon href="data:,"><title>${process.env['OWN_TITLE']}</title>text<script>fetch('/loaded')</script>`
        : 'heard',
    );
  },
);
server.listen(Number(port), '127.0.0.1');
