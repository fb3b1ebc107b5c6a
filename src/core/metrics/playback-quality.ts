import { sum } from './evidence/numbers.ts';
import { playedVmaf, vmafQoe } from './evidence/picture-quality.ts';
import { bitrateChangesKbps, qoeScore as qoeScoreOf } from './evidence/qoe.ts';
import { numberAsDifference, ofPlayedTime, type Metric } from './metric.ts';

/** Why two points do not matter. */
const vmafMargin =
  'margin: a third of the 6 points that three of four viewers notice (J. Ozer, Streaming Learning Center)';

/**
 * Why less than one change does not matter. No figure was found from which on viewers notice that there are more. In ITU-T P.1203.3 (10/2017), clause 8.3, changes take off
 * (1 + log10 spread) · exp(0.678 · turns - 8.06) of five points: with the widest spread, 4, that is 0.058 for seven turns, which is
 * below a tenth.
 */
const switchMargin =
  'margin: half a change, so that one more counts; no published figure of how many viewers notice was found. The model of Hoßfeld et al. 2014 has no count of changes; in ITU-T P.1203.3, 8.3, seven turns of quality take less than 0.1 of 5 points';

/** How good a session was to look at. */
export const playbackQualityMetrics: readonly Metric[] = [
  {
    name: 'switchCount',
    title: 'quality switches',
    isPlural: true,
    meaning: 'Changes of quality between chunks played in turn.',
    source: switchMargin,
    ...numberAsDifference,
    margin: 0.5,
    ...ofPlayedTime,
    formulas: {
      video: ({ switches }) => switches.length,
    },
  },
  {
    name: 'switchMagnitudeKbps',
    title: 'quality switch magnitude',
    meaning: 'Mean absolute change of bitrate at a switch.',
    unit: 'kbit/s',
    form: 'ratio',
    margin: 0.05,
    higherIsBetter: false,
    ...ofPlayedTime,
    formulas: {
      // Absent, not null, where nothing was switched: there is no magnitude then.
      video: ({ played, switches }) =>
        switches.length === 0
          ? undefined
          : sum(bitrateChangesKbps(played.map(({ bitrateKbps }) => bitrateKbps))) / switches.length,
    },
  },
  {
    name: 'qoeScore',
    title: 'QoE score',
    meaning: 'Bitrate utility less penalties for stalls and switches, linear form of Pensieve.',
    source: 'Mao et al. 2017 (Pensieve), §5.1',
    unit: '',
    form: 'ratio',
    margin: 0.02,
    higherIsBetter: true,
    ...ofPlayedTime,
    formulas: {
      video: ({ played, stalls, qoe }) =>
        qoeScoreOf(
          played.map(({ bitrateKbps }) => bitrateKbps),
          stalls.network.totalMs,
          qoe,
        ),
    },
  },
  {
    name: 'meanVmaf',
    title: 'mean VMAF',
    meaning: 'Picture quality of what was played, 0 to 100, on a 1080p screen.',
    source: `Li et al. 2016 (VMAF); ${vmafMargin}`,
    unit: '',
    form: 'difference',
    margin: 2,
    higherIsBetter: true,
    ...ofPlayedTime,
    formulas: {
      video: ({ played, vmaf }) => (vmaf === undefined ? null : playedVmaf(played, vmaf)),
    },
  },
  {
    name: 'qoeVmaf',
    title: 'QoE score by VMAF',
    meaning: 'Mean VMAF of the chunks less penalties for stalls and changes, linear form of Yin et al.',
    source: `Yin et al. 2015, §3.2; ${vmafMargin}`,
    unit: '',
    form: 'difference',
    margin: 2,
    higherIsBetter: true,
    ...ofPlayedTime,
    formulas: {
      video: ({ played, stalls, vmaf }) =>
        vmaf === undefined ? null : vmafQoe(played, vmaf, stalls.network.totalMs),
    },
  },
];
