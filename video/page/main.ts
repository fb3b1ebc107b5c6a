import type { VideoSession } from '../../src/model/session.ts';
import { playSession } from './session.ts';
import { readSessionConfig } from './session-config.ts';

declare global {
  var h2h3Session: Promise<VideoSession> | undefined;
}

const video = document.querySelector('video');
if (video === null) throw new TypeError('the page has no video element');
globalThis.h2h3Session = playSession(video, readSessionConfig(location));
