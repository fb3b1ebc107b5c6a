import type { AbrInput } from '../../abr/abr-rule.ts';
import type { VideoPlayer } from '../../../src/core/model/session.ts';
import type { PlayerConfig } from '../session-config.ts';

/** What a player tells of its media chunks and its choices while it plays. */
export interface PlayerEvents {
  readonly chunkRequested: (chunk: RequestedChunk) => void;
  readonly chunkFinished: (chunk: FinishedChunk) => void;
  readonly decided: (decision: { readonly from: string; readonly to: string; readonly why: string }) => void;
  /** The session cannot go on. */
  readonly failed: (message: string) => void;
  /** Of a player without a media element: all has been shown that there is. */
  readonly over: () => void;
}

export interface RequestedChunk {
  readonly url: string;
  readonly representation: string;
  readonly bitrateKbps: number;
}

export interface FinishedChunk {
  readonly url: string;
  readonly mediaStartSeconds: number;
  readonly durationSeconds: number;
  readonly bytes: number;
}

/** What a rule of ours is told beyond the ladder, which comes from the manifest. */
export type AbrState = () => Omit<AbrInput, 'bitratesKbps' | 'previousIndex'> & {
  readonly previousRepresentation: string | null;
};

/** A player before its load call. */
export interface OpenedPlayer {
  readonly name: string;
  readonly version: string;
  /** Loads the manifest and plays. */
  readonly load: () => void;
  /** As the manifest names it, the lowest first. */
  readonly ladder: () => VideoPlayer['ladder'];
  /** Of a player that has no media element: where its pictures are, and the address of its session at the relay. */
  readonly relay?: { readonly canvas: HTMLCanvasElement; readonly url: () => string };
}

export interface PlayerParts {
  readonly video: HTMLVideoElement;
  readonly config: PlayerConfig;
  readonly events: PlayerEvents;
  readonly abrState: AbrState;
}

/** Opens a player by its own library, which the page has loaded. */
export type OpenPlayer = (parts: PlayerParts) => OpenedPlayer;

/** Segments lie in a folder named as their representation, whatever the manifest. */
export function representationOf(url: string): string {
  return new URL(url).pathname.split('/').at(-2) ?? '';
}

export const bitsPerKilobit = 1000;
/** Below every track of every ladder: each session begins at the lowest, whatever the player. */
export const initialBitrateKbps = 1;
/** Behind the playhead, so that memory stays bounded at 200 Mbit/s. */
export const bufferKeptSeconds = 2;

export const byBitrate = (
  left: { readonly bitrateKbps: number },
  right: { readonly bitrateKbps: number },
): number => left.bitrateKbps - right.bitrateKbps;
