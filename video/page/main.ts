import type { VideoSession } from '../../src/model/session.ts';
import { playSession } from './session.ts';
import { readSessionConfig } from './session-config.ts';

declare global {
  var h2h3Session: Promise<VideoSession> | undefined;
}

async function start(): Promise<VideoSession> {
  const video = document.querySelector('video');
  if (video === null) throw new TypeError('the page has no video element');
  return playSession(video, readSessionConfig(location));
}

globalThis.h2h3Session = start();
