import type * as Dash from 'dashjs';

/** What dash.js 5.2.1 has but its type declarations leave out. */
interface UndeclaredMembers {
  readonly FactoryMaker: Dash.FactoryMaker;
}

/** A request as the loading events carry it; the declarations still describe version 4. */
export interface MediaRequest {
  readonly mediaType: string;
  readonly type: string;
  readonly url: string;
  /** Media time of the chunk's start and its length (s). */
  readonly startTime: number;
  readonly duration: number;
  /** Body bytes that the player has read; NaN until all of them are there. */
  readonly bytesLoaded: number;
  readonly representation: Dash.Representation;
}

/** dash.js as its script of the page has put it into the global scope; absent where the page plays with another player. */
export const { dashjs: dash } = globalThis as unknown as { readonly dashjs: typeof Dash & UndeclaredMembers };
export type { Dash };
