import type { AbrRule, DashRuleName } from '../../abr/abr-rule.ts';
import { dynamic } from '../../abr/dash-rules.ts';
import type { Dash } from '../dash.ts';
import type { PlayerConfig } from '../session-config.ts';
import { bufferKeptSeconds, initialBitrateKbps } from './player.ts';

const dashRules: readonly DashRuleName[] = [
  'throughputRule',
  'bolaRule',
  'insufficientBufferRule',
  'switchHistoryRule',
  'l2ARule',
  'loLPRule',
];
/** Requests a chunk within this time after the buffer falls below its target; the default of 500 ms would quantise requests. */
const schedulingIntervalMs = 20;

/**
 * Everything in dash.js 5 that could differ from run to run, pinned: what it learnt from earlier sessions, time-outs that
 * abort long chunks, replacing of buffered chunks, retries (a failed chunk ends the session), and all rules but the chosen.
 */
export function playerSettings(config: PlayerConfig, rule: AbrRule): Dash.MediaPlayerSettingClass {
  const active = activeRules(rule);
  const rules = Object.fromEntries(dashRules.map((name) => [name, { active: active.includes(name) }]));
  return {
    streaming: {
      ...networkSettings(config.cmcd),
      ...(config.live === null ? {} : broadcastSettings(rule, config.live.delayMs)),
      cacheInitSegments: true,
      capabilities: { useMediaCapabilitiesApi: false },
      buffer: {
        fastSwitchEnabled: false,
        ...(config.startBufferSeconds > 0 ? { initialBufferLevel: config.startBufferSeconds } : {}),
        bufferTimeDefault: config.bufferTargetSeconds,
        bufferTimeAtTopQuality: config.bufferTargetSeconds,
        bufferTimeAtTopQualityLongForm: config.bufferTargetSeconds,
        bufferToKeep: bufferKeptSeconds,
        bufferPruningInterval: 1,
      },
      lastBitrateCachingInfo: { enabled: false },
      lastMediaSettingsCachingInfo: { enabled: false },
      saveLastMediaSettingsForCurrentStreamingSession: false,
      applyServiceDescription: false,
      applyContentSteering: false,
      // The media has no gaps: on a slow path dash.js would jump over chunks that have not come yet.
      gaps: { jumpGaps: false, jumpLargeGaps: false, enableSeekFix: false, enableStallFix: false },
      abr: {
        limitBitrateByPortal: false,
        rules: {
          ...rules,
          droppedFramesRule: { active: false },
          abandonRequestsRule: { active: false },
        },
        initialBitrate: { video: initialBitrateKbps },
        autoSwitchBitrate: { video: true },
      },
    },
  };
}

/**
 * Catching up is left as dash.js does it, within 10 % of the normal speed; LoL+ brings its own way of doing it.
 * (The clocks of both ends are one: they run on one machine.)
 */
function broadcastSettings(
  rule: AbrRule,
  delayMs: number,
): NonNullable<Dash.MediaPlayerSettingClass['streaming']> {
  const isLowOnLatency = rule.kind === 'dashjs' && rule.activeRules.includes('loLPRule');
  return {
    delay: { liveDelay: delayMs / 1000, useSuggestedPresentationDelay: false },
    liveCatchup: {
      enabled: true,
      maxDrift: 0,
      playbackRate: { min: -0.1, max: 0.1 },
      mode: isLowOnLatency ? 'liveCatchupModeLoLP' : 'liveCatchupModeDefault',
    },
  };
}

/** By itself dash.js chooses by throughput and buffer level, with its guards. */
function activeRules(rule: AbrRule): readonly DashRuleName[] {
  if (rule.kind === 'ours') return [];
  return rule.kind === 'dashjs' ? rule.activeRules : dynamic.activeRules;
}

function networkSettings(cmcd: boolean): NonNullable<Dash.MediaPlayerSettingClass['streaming']> {
  return {
    fragmentRequestTimeout: 0,
    manifestRequestTimeout: 0,
    abandonLoadTimeout: 1e9,
    retryAttempts: { MPD: 0, MediaSegment: 0, InitializationSegment: 0 },
    scheduling: { defaultTimeout: schedulingIntervalMs, scheduleWhilePaused: true },
    utcSynchronization: { enabled: false },
    cmcd: { enabled: cmcd, mode: 'query', applyParametersFromMpd: false },
    cmsd: { enabled: false },
  };
}
