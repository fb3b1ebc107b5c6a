import type { RecordedFrames } from '../recorded-frames.ts';

/**
 * Runs in Firefox's window, with the browser's own privileges, where the toolbars are hidden: a picture of the
 * window is one of the page. Firefox's compositor keeps every frame that it shows, with its time; encoding them
 * waits until the end.
 */
export interface FrameRecorder {
  /** Ends recording. Null: recording had to be given up, because the frames filled the memory. */
  stop(): Promise<RecordedFrames | null>;
}

interface CompositionRecording {
  readonly recordingStart: number;
  readonly frames: readonly { readonly timeOffset: number; readonly dataUri: string }[];
}

declare const windowUtils: {
  startCompositionRecording(): Promise<void>;
  stopCompositionRecording(writeToDisk: boolean): Promise<CompositionRecording>;
};
declare const gBrowser: { readonly selectedBrowser: HTMLElement };
declare const Cc: Readonly<Record<string, { getService(iid: unknown): { readonly residentFast: number } }>>;
declare const Ci: Readonly<Record<string, unknown>>;

const memoryCheckMs = 250;
const jpegQuality = 0.6;

/**
 * Leaves `globalThis.h2h3Frames`. Frames are scaled to `widthPixels`; recording is given up when the browser's
 * memory has grown by `memoryLimitBytes`. Resolves when the first frame, of the empty tab, is recorded.
 */
export async function startFrameRecorder(widthPixels: number, memoryLimitBytes: number): Promise<string> {
  const before = residentBytes();
  let gaveUp = false;
  await windowUtils.startCompositionRecording();
  const guard = setInterval(() => {
    if (residentBytes() - before < memoryLimitBytes) return;
    clearInterval(guard);
    gaveUp = true;
    // Firefox has no way to drop a recording but to encode it.
    void windowUtils.stopCompositionRecording(false);
  }, memoryCheckMs);
  const recorder: FrameRecorder = {
    async stop() {
      clearInterval(guard);
      if (gaveUp) return null;
      const recording = await windowUtils.stopCompositionRecording(false);
      const frames = recording.frames.map(async ({ timeOffset, dataUri }) => ({
        offsetMs: timeOffset,
        jpegBase64: await scaled(dataUri, widthPixels),
      }));
      return { startedEpochMs: recording.recordingStart, frames: await Promise.all(frames) };
    },
  };
  (globalThis as { h2h3Frames?: FrameRecorder }).h2h3Frames = recorder;
  await showOneFrame();
  return 'recording';
}

function residentBytes(): number {
  return (
    Cc['@mozilla.org/memory-reporter-manager;1']?.getService(Ci.nsIMemoryReporterManager).residentFast ?? 0
  );
}

/** Nothing is composited as long as nothing changes, so something that is not seen does. */
async function showOneFrame(): Promise<void> {
  const { style } = gBrowser.selectedBrowser;
  style.opacity = '0.99';
  await nextFrame();
  style.opacity = '';
  await nextFrame();
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

async function scaled(dataUri: string, widthPixels: number): Promise<string> {
  const bitmap = await createImageBitmap(await (await fetch(dataUri)).blob());
  const heightPixels = Math.round((bitmap.height * widthPixels) / bitmap.width);
  const canvas = new OffscreenCanvas(widthPixels, heightPixels);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, widthPixels, heightPixels);
  bitmap.close();
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality });
  const bytes = new Uint8Array(await jpeg.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
