import type { Answer } from './guarded-site.ts';

/** What the form wants, and what it gives for it. */
export interface FormSecrets {
  readonly pass: string;
  readonly session: string;
}

/** An answer with a page of this text. */
export function answerWith(response: Parameters<Answer>[1], text: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<!doctype html><link rel=icon href="data:,"><title>shop</title><body>${text}`);
}

/** A site whose pages lead to a form until somebody has logged in by it. */
export function behindForm({ pass, session }: FormSecrets, inside: Answer): Answer {
  return (request, response, third) => {
    const { method, url = '', headers } = request;
    if (url === '/login' && method === 'POST') {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const isRight = new URLSearchParams(body).get('word') === pass;
        const given = isRight ? { 'set-cookie': `sid=${session}; Path=/; Secure; HttpOnly` } : {};
        response.writeHead(303, { location: isRight ? '/' : '/login', ...given }).end();
      });
      return;
    }
    if (url === '/login')
      return answerWith(response, '<form method=post><input name=word><button>in</button></form>');
    if (headers.cookie?.includes(`sid=${session}`) === true) return inside(request, response, third);
    response.writeHead(302, { location: '/login' }).end();
  };
}
