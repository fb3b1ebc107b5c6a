import { frameNumberIn, numberBits } from './frame-number.ts';

/** What shows the pictures of a player. */
export type Picture = HTMLVideoElement | HTMLCanvasElement;

/** Which frame is on the screen, read out of the picture each time the browser paints. */
export class FrameLog {
  /** When a number was seen first (`performance.now()`), and the number. */
  readonly shown: [number, number][] = [];
  private readonly picture: Picture;
  private readonly context: OffscreenCanvasRenderingContext2D;
  private request = 0;

  constructor(picture: Picture) {
    this.picture = picture;
    const context = new OffscreenCanvas(numberBits, 1).getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('this browser has no canvas to read frames with');
    // The nearest pixel to the middle of each block.
    context.imageSmoothingEnabled = false;
    this.context = context;
  }

  start(): void {
    this.look();
  }

  stop(): void {
    cancelAnimationFrame(this.request);
  }

  private look(): void {
    this.request = requestAnimationFrame((nowMs) => {
      const number = this.numberShown();
      if (number !== 0 && number !== this.shown.at(-1)?.[1]) this.shown.push([nowMs, number]);
      this.look();
    });
  }

  private numberShown(): number {
    const [width, height] = sizeOf(this.picture);
    if (width === 0 || height === 0) return 0;
    const middleOfBlock = Math.floor(width / numberBits / 2);
    this.context.drawImage(this.picture, 0, middleOfBlock, width, 1, 0, 0, numberBits, 1);
    return frameNumberIn(this.context.getImageData(0, 0, numberBits, 1).data);
  }
}

function sizeOf(picture: Picture): [width: number, height: number] {
  return picture instanceof HTMLVideoElement
    ? [picture.videoWidth, picture.videoHeight]
    : [picture.width, picture.height];
}
