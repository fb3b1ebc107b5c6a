import { openDashjs4 } from './dashjs4.ts';
import { openDashjs5 } from './dashjs5.ts';
import { openHlsjs } from './hlsjs.ts';
import { openMoqwatch } from './moqwatch.ts';
import type { OpenPlayer } from './player.ts';
import { openShaka } from './shaka.ts';

/** By id and the first number of the version. */
const players: Readonly<Record<string, OpenPlayer>> = {
  'dashjs@4': openDashjs4,
  'dashjs@5': openDashjs5,
  'hlsjs@1': openHlsjs,
  'shaka@4': openShaka,
  'shaka@5': openShaka,
  'moqwatch@0': openMoqwatch,
};

/**
 * @param name id and version, such as `hlsjs@1.7.4`; empty for the packaged dash.js
 * @throws RangeError for a player that the page cannot play with
 */
export function playerNamed(name: string): OpenPlayer {
  const open = name === '' ? openDashjs5 : players[name.replace(/\..*$/, '')];
  if (open === undefined) throw new RangeError(`this page cannot play with ${name}`);
  return open;
}
