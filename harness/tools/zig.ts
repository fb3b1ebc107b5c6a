import path from 'node:path';
import type { SetupContext } from './setup-context.ts';
import { ensureWholeWheel, wheelBuildFor, type PinnedWholeWheel } from './wheel.ts';

/**
 * The C compiler of the Zig project, as it publishes it on the Python Package Index. It makes programs for other kinds of machines too,
 * with headers and C libraries of its own.
 */
export const zigWheel: PinnedWholeWheel = {
  packageName: 'ziglang',
  version: '0.17.1',
  builds: {
    'linux-x64': {
      platformTag: 'manylinux2010_x86_64',
      wheelSha256: 'ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54',
    },
    'linux-arm64': {
      platformTag: 'manylinux2014_aarch64',
      wheelSha256: 'b7c5f02fccd40f89b999ee16a1f5ddced56e6182370f8affe494bcf8a28cf07e',
    },
  },
};
/** What is fetched, about. */
export const zigMegabytes = 100;

const program = 'ziglang/zig';

/** Whether it can be fetched for this kind of machine. */
export const hasZig = (context: Pick<SetupContext, 'platform' | 'arch'>): boolean =>
  wheelBuildFor(zigWheel, context) !== undefined;

/** Its program, fetched where it is not there yet. @throws H2h3Error as `ensureWholeWheel` does */
export async function ensureZig(context: SetupContext): Promise<string> {
  return path.join(await ensureWholeWheel(zigWheel, [program], context), program);
}
