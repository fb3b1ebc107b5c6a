import { fileURLToPath } from 'node:url';
import { pythonProgram } from '../../tools/python-program.ts';
import { ownClient } from './own-client.ts';

const source = pythonProgram({
  name: 'aioquic-client',
  sourceDir: fileURLToPath(new URL('aioquic/', import.meta.url)),
  script: 'aioquic_client.py',
});

export const aioquic = ownClient({
  id: 'aioquic',
  title: 'aioquic',
  installHint: 'npx h2h3 setup --system (installed with Python 3.11 or newer)',
  source,
  stack: { lacksHybrid: true },
  uploads: true,
});
