/** Rounding of media time in buffered ranges; far below a frame (s). */
const toleranceSeconds = 0.005;

/**
 * Signals the end of the stream as soon as media up to `endSeconds` is buffered.
 *
 * dash.js 5.2.1 declares buffering complete while its last chunk is still being appended and then drops its own signal
 * because the buffer is busy (`_checkIfBufferingCompleted` compares with the last index minus one). Without the signal the
 * browser waits at the last frames for media that will never come, which would count as a stall. A second signal is harmless.
 */
export function signalEndOfStreamAt(endSeconds: number): void {
  const Original = globalThis.MediaSource;
  globalThis.MediaSource = class extends Original {
    constructor() {
      super();
      this.sourceBuffers.addEventListener('addsourcebuffer', () => {
        for (const buffer of this.sourceBuffers) {
          buffer.addEventListener('updateend', () => {
            endIfComplete(this, buffer, endSeconds);
          });
        }
      });
    }
  };
}

function endIfComplete(source: MediaSource, buffer: SourceBuffer, endSeconds: number): void {
  if (source.readyState !== 'open' || buffer.updating || buffer.buffered.length === 0) return;
  if (buffer.buffered.end(buffer.buffered.length - 1) >= endSeconds - toleranceSeconds) source.endOfStream();
}
