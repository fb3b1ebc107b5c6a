/**
 * Does some work once the next frame is on the screen. What answers an input at once (a tick, an arrow, a word) is
 * painted before it, so that even a slow machine answers in time; a frame's own callbacks would still hold that paint up.
 */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}
