import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBuildStep, type ProgramSource } from '../../tools/built-program.ts';
import type { SetupContext } from '../../tools/setup-context.ts';
import { ensureWheelProgram, wheelBuildFor, type PinnedWheel } from '../../tools/wheel.ts';
import { ownClient } from './own-client.ts';

const sourceDir = fileURLToPath(new URL('quiche/', import.meta.url));
const program = 'quiche-client';

/** What the bindings to BoringSSL are made with; few systems have it. */
const libclang: PinnedWheel = {
  packageName: 'libclang',
  version: '18.1.1',
  builds: {
    'linux-x64': {
      platformTag: 'manylinux2010_x86_64',
      programPath: 'libclang-18.1.1.data/platlib/clang/native/libclang.so',
      programSha256: 'a8612b1c9a7125701277f63e5616f1d1eb9c91410c4bf195878067868c927f94',
    },
  },
};

const source: ProgramSource = {
  name: program,
  sourceDir,
  needs: ['cargo', 'cmake', 'cc'],
  patience: 'three to ten minutes',
  build: async (target, context) => {
    const buildDir = path.join(target, 'build');
    const manifest = path.join(sourceDir, 'Cargo.toml');
    const words = ['cargo', 'build', '--release', '--locked', '--quiet', '--manifest-path', manifest];
    await runBuildStep([...words, '--target-dir', buildDir], await bindingsEnvironment(context), context);
    await rename(path.join(buildDir, 'release', program), path.join(target, program));
    await rm(buildDir, { recursive: true });
  },
};

/** The wheel has the library without the compiler's own headers, which those of the C compiler stand in for. */
async function bindingsEnvironment(context: SetupContext): Promise<Record<string, string>> {
  if (context.environment['LIBCLANG_PATH'] !== undefined || wheelBuildFor(libclang, context) === undefined)
    return {};
  const library = await ensureWheelProgram(libclang, 'libclang.so', context);
  const { stdout } = await context.run('cc', ['-print-file-name=include'], { timeoutMs: 10_000 });
  return {
    LIBCLANG_PATH: path.dirname(library),
    BINDGEN_EXTRA_CLANG_ARGS: `-isystem ${stdout.trim()}`,
  };
}

export const quiche = ownClient({
  id: 'quiche',
  title: 'quiche',
  installHint: 'npx h2h3 setup --system (built with Rust, CMake and a C compiler)',
  source,
  applies: ['migration', 'resume'],
  uploads: true,
  migrations: { h3: ['move'] },
});
