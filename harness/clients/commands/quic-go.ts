import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBuildStep, type ProgramSource } from '../../tools/built-program.ts';
import { ownClient, ownContest } from './own-client.ts';

const sourceDir = fileURLToPath(new URL('quic-go/', import.meta.url));

/** The QUIC library that Caddy has too; versions stand in `quic-go/go.mod`. */
export const quicGoProgram: ProgramSource = {
  name: 'quic-go-client',
  sourceDir,
  needs: ['go'],
  patience: 'a minute',
  build: (target, context) => {
    const file = path.join(target, context.platform === 'win32' ? 'quic-go-client.exe' : 'quic-go-client');
    const words = ['go', 'build', '-C', sourceDir, '-o', file, '.'];
    return runBuildStep(words, { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' }, context);
  },
};

export const quicGo = ownClient({
  id: 'quic-go',
  title: 'quic-go',
  installHint: 'npx h2h3 setup --system (built with Go)',
  source: quicGoProgram,
  applies: ['migration', 'competingflows', 'resume'],
  // quic-go takes at most 16 KiB of a handshake, of which signature, parameters and heads need some.
  stack: { reportsEcn: true, maxChainBytes: 15_500 },
  uploads: true,
  contest: ownContest,
  // It marks what it sends as ECN-capable unless this says otherwise.
  environment: ({ factors }) => (factors?.ecn === 'off' ? { QUIC_GO_DISABLE_ECN: 'true' } : {}),
});
