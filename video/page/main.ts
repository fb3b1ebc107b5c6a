import type { VideoSession } from '../../src/core/model/session.ts';
import { downloadUntil } from './cross-traffic.ts';
import { signalEndOfStreamAt } from './end-of-stream.ts';
import { PlayerSession } from './player-session.ts';
import { playerNamed } from './players/registry.ts';
import { readSessionConfig } from './session-config.ts';

declare global {
  var h2h3Session: Promise<VideoSession> | undefined;
  /** The session as far as it has come. */
  var h2h3SessionSoFar: (() => VideoSession) | undefined;
}

async function runSession(): Promise<VideoSession> {
  const config = readSessionConfig(location, performance.timeOrigin + performance.now());
  const open = playerNamed(config.player);
  const sessions = config.players.map((player) => new PlayerSession(addVideo(), player, open));
  const [first, ...others] = sessions;
  if (first === undefined) throw new RangeError('there is no player to run');
  signalEndOfStreamAt(Math.max(...config.players.map((player) => player.playSeconds)));
  globalThis.h2h3SessionSoFar = () => first.soFar();
  let over = false;
  const measured = first.play().finally(() => {
    over = true;
  });
  const played = Promise.all(others.map((other) => other.play()));
  const cross = Promise.all(config.crossTrafficUrls.map((url) => downloadUntil(url, () => over)));
  return {
    ...(await measured),
    ...(others.length > 0 ? { others: await played } : {}),
    ...(config.crossTrafficUrls.length > 0 ? { crossTraffic: (await cross).flat() } : {}),
  };
}

function addVideo(): HTMLVideoElement {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  document.body.append(video);
  return video;
}

/** `sessionEndPath`. */
const endPath = '/h2h3-session-ended';
const session = runSession();
globalThis.h2h3Session = session;
const tellEnd = (): void => void fetch(endPath, { cache: 'no-store' }).catch(() => undefined);
session.then(tellEnd, tellEnd);
