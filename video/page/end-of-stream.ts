/** Rounding of media time in buffered ranges; far below a frame (s). */
const toleranceSeconds = 0.005;
/** Sound ends with its last whole frame: 1024 samples of 48 000 a second are the longest (s). */
const soundToleranceSeconds = 0.022;

/**
 * Signals the end of every stream when, and only when, media up to `endSeconds` is buffered.
 *
 * dash.js 5.2.1 declares buffering complete while its last chunk is still being appended (`_checkIfBufferingCompleted`
 * compares with the last index minus one) and then either drops its own signal because the buffer is busy, or gives it
 * before the last chunk is there. Without the signal the browser waits at the last frames for media that will never
 * come, which would count as a stall; too early it would end the session short. A second signal is harmless.
 */
export function signalEndOfStreamAt(endSeconds: number): void {
  const sound = new WeakSet<SourceBuffer>();
  const isComplete = (source: MediaSource): boolean =>
    [...source.sourceBuffers].every((buffer) => {
      const { updating, buffered } = buffer;
      if (updating || buffered.length === 0) return false;
      const tolerance = sound.has(buffer) ? soundToleranceSeconds : toleranceSeconds;
      return buffered.end(buffered.length - 1) >= endSeconds - tolerance;
    });
  const Original = globalThis.MediaSource;
  globalThis.MediaSource = class extends Original {
    constructor() {
      super();
      this.sourceBuffers.addEventListener('addsourcebuffer', () => {
        for (const buffer of this.sourceBuffers) {
          buffer.addEventListener('updateend', () => {
            this.endOfStream();
          });
        }
      });
    }

    override addSourceBuffer(type: string): SourceBuffer {
      const buffer = super.addSourceBuffer(type);
      if (type.startsWith('audio/')) sound.add(buffer);
      return buffer;
    }

    override endOfStream(error?: EndOfStreamError): void {
      if (error !== undefined) super.endOfStream(error);
      else if (this.readyState === 'open' && isComplete(this)) super.endOfStream();
    }
  };
}
