import type { PinnedWheel } from './wheel.ts';

/**
 * ffmpeg 9 as the wheels of imageio-ffmpeg carry it: builds of the GPL
 * version 3, with libx264, libvpx, SVT-AV1 and libaom. h2h3 starts it as a program of its own and ships none of it. It
 * also decodes videos of users, so its age matters.
 */
export const ffmpegWheel: PinnedWheel = {
  packageName: 'imageio-ffmpeg',
  version: '0.8.1',
  builds: {
    'linux-x64': {
      platformTag: 'manylinux_2_28_x86_64',
      programPath: 'imageio_ffmpeg/binaries/ffmpeg-linux-x86_64-v9.0.2',
      programSha256: '0d709a0bed1a43f24cd2c420878c63afea4580671b6949ad19ed124572f3bc3d',
    },
    'linux-arm64': {
      platformTag: 'manylinux_2_28_aarch64',
      programPath: 'imageio_ffmpeg/binaries/ffmpeg-linux-aarch64-v9.0.2',
      programSha256: '0b0b5ac30495b4e07ce1321b8d58200f901f57782884a8b6b264c7528c2c9e77',
    },
    'darwin-x64': {
      platformTag: 'macosx_10_13_x86_64',
      programPath: 'imageio_ffmpeg/binaries/ffmpeg-macos-x86_64-v9.0.2',
      programSha256: 'a45b462cf91ed89148ae218c4577e30896485d7a6792c3673bcf5f823fa01b63',
    },
    'darwin-arm64': {
      platformTag: 'macosx_12_0_arm64',
      programPath: 'imageio_ffmpeg/binaries/ffmpeg-macos-aarch64-v9.0',
      programSha256: '591260c945d0eef150e3bf82b0ef988bd36a9cecc18ff05d6679617159f0a95e',
    },
  },
};
