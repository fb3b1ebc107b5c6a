import type { Socket } from 'node:net';
import type { SharedLink } from './shared-link.ts';

/** A piece that is under way; null: the end of what is sent. */
interface Piece {
  readonly arrivesMs: number;
  readonly data: Buffer | null;
}

/** Runs `then` at a time of `performance.now()`, never before. */
export function at(timeMs: number, then: () => void): void {
  const leftMs = timeMs - performance.now();
  if (leftMs <= 0) return then();
  setTimeout(() => at(timeMs, then), Math.ceil(leftMs));
}

/** Carries what one socket sends, and its end, to another across a direction of a link. */
export function carry(from: Socket, to: Socket, link: SharedLink): void {
  const underWay: Piece[] = [];
  let bytes = 0;
  let waits = false;
  const deliver = (): void => {
    waits = false;
    for (let piece = underWay[0]; piece !== undefined; piece = underWay[0]) {
      if (piece.arrivesMs > performance.now() || to.writableNeedDrain) return wait(piece);
      underWay.shift();
      if (piece.data === null) to.end();
      else to.write(piece.data);
      bytes -= piece.data?.length ?? 0;
    }
    if (bytes < link.windowBytes) from.resume();
  };
  const wait = ({ arrivesMs }: Piece): void => {
    if (bytes < link.windowBytes) from.resume();
    if (waits || to.destroyed) return;
    waits = true;
    if (to.writableNeedDrain) to.once('drain', deliver);
    else at(arrivesMs, deliver);
  };
  const take = (data: Buffer | null): void => {
    const arrivesMs = link.send(data?.length ?? 0, performance.now());
    bytes += data?.length ?? 0;
    underWay.push({ arrivesMs, data });
  };
  from.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length; start += link.pieceBytes)
      take(chunk.subarray(start, start + link.pieceBytes));
    if (bytes >= link.windowBytes) from.pause();
    if (!waits) deliver();
  });
  from.on('end', () => {
    take(null);
    if (!waits) deliver();
  });
  // A connection that is broken at one end is at the other.
  from.on('close', () => {
    if (!from.readableEnded) to.destroy();
  });
}
