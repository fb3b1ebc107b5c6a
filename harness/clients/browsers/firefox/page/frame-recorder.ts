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

/** Firefox's own event, after a paint has reached the screen. */
interface PaintEvent extends Event {
  readonly transactionId: number;
}

declare const windowUtils: {
  readonly lastTransactionId: number;
  startCompositionRecording(): Promise<void>;
  stopCompositionRecording(writeToDisk: boolean): Promise<CompositionRecording>;
};
declare const Cc: Readonly<Record<string, { getService(iid: unknown): { readonly residentFast: number } }>>;
declare const Ci: Readonly<Record<string, unknown>>;

const memoryCheckMs = 250;
const jpegQuality = 0.6;
/** A window that is shown paints within a few frames; on a machine that does much else it may take seconds. */
const paintLimitMs = 10_000;
const markerHeightPixels = 16;

/**
 * Leaves `globalThis.h2h3Frames`. Frames are scaled to `widthPixels`; recording is given up when the browser's
 * memory has grown by `memoryLimitBytes`. Resolves when the first frame, of the empty tab, is recorded.
 */
export async function startFrameRecorder(widthPixels: number, memoryLimitBytes: number): Promise<string> {
  const before = residentBytes();
  let gaveUp = false;
  let markedEpochMs = 0;
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
      const { recordingStart, frames } = await windowUtils.stopCompositionRecording(false);
      const markedMs = markedEpochMs - recordingStart;
      return { startedEpochMs: recordingStart, frames: await encode(frames, widthPixels, markedMs) };
    },
  };
  (globalThis as { h2h3Frames?: FrameRecorder }).h2h3Frames = recorder;
  await showMarker();
  markedEpochMs = Date.now();
  return 'recording';
}

function residentBytes(): number {
  return (
    Cc['@mozilla.org/memory-reporter-manager;1']?.getService(Ci.nsIMemoryReporterManager).residentFast ?? 0
  );
}

/**
 * Shows a black bar at the top of the window and takes it away. So there are frames before navigation (nothing
 * is composited as long as nothing changes), and they tell whether this graphics back end hands out pictures
 * upside down.
 */
async function showMarker(): Promise<void> {
  const bar = document.createElementNS('http://www.w3.org/1999/xhtml', 'div');
  bar.style.cssText = `position:fixed;inset:0 0 auto 0;height:${markerHeightPixels}px;background:#000;z-index:999999`;
  await shown(() => document.documentElement.append(bar));
  await shown(() => bar.remove());
}

/** Resolves when what `change` changed has been composited, or after the limit. */
function shown(change: () => void): Promise<void> {
  const before = windowUtils.lastTransactionId;
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      removeEventListener('MozAfterPaint', onPaint);
      resolve();
    };
    const onPaint = (event: Event): void => {
      if ((event as PaintEvent).transactionId > before) finish();
    };
    const timer = setTimeout(finish, paintLimitMs);
    addEventListener('MozAfterPaint', onPaint);
    change();
  });
}

/**
 * Scales frames down to JPEG. Where the compositor redrew only a part, the rest of the picture is transparent:
 * it is as in the frame before.
 *
 * @param markedMs by then the marker had been shown and taken away, since the recording began
 */
async function encode(
  frames: CompositionRecording['frames'],
  widthPixels: number,
  markedMs: number,
): Promise<RecordedFrames['frames']> {
  const encoded: Promise<RecordedFrames['frames'][number]>[] = [];
  let canvas: OffscreenCanvas | null = null;
  let upsideDown = false;
  for (const { timeOffset, dataUri } of frames) {
    const bitmap = await createImageBitmap(await (await fetch(dataUri)).blob());
    const heightPixels = Math.round((bitmap.height * widthPixels) / bitmap.width);
    canvas ??= new OffscreenCanvas(widthPixels, heightPixels);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no 2d context');
    if (timeOffset <= markedMs) upsideDown ||= isBlackLine(bitmap, bitmap.height - markerHeightPixels / 2);
    context.setTransform(1, 0, 0, upsideDown ? -1 : 1, 0, upsideDown ? heightPixels : 0);
    context.drawImage(bitmap, 0, 0, widthPixels, heightPixels);
    bitmap.close();
    encoded.push(jpegOf(canvas).then((jpegBase64) => ({ offsetMs: timeOffset, jpegBase64 })));
  }
  return Promise.all(encoded);
}

async function jpegOf(canvas: OffscreenCanvas): Promise<string> {
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality });
  const bytes = new Uint8Array(await jpeg.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function isBlackLine(bitmap: ImageBitmap, y: number): boolean {
  const canvas = new OffscreenCanvas(bitmap.width, 1);
  const context = canvas.getContext('2d');
  if (context === null) return false;
  context.drawImage(bitmap, 0, -Math.floor(y));
  const { data } = context.getImageData(0, 0, bitmap.width, 1);
  return data.every((value, index) => (index % 4 === 3 ? value === 255 : value === 0));
}
