import { armOfLabel } from '../../src/core/factors/arm-name.ts';
import { blockName } from '../../src/core/model/block-name.ts';
import type { Diagnosis, FlameGraph, FlameNode, TimeLine } from '../../src/core/model/diagnosis.ts';
import { armsOf, diagnosisTitle } from '../format/diagnosis-words.ts';
import { armTitle } from '../format/labels.ts';
import { linkBands } from './link-bands.ts';
import type { PageDiagnosis, PageFlameFrame, PageFlameGraph, PageTimeLine } from './page-data.ts';
import type { ReportContext } from './report-context.ts';

/** Of each arm; a page of many hosts has dozens, most of which carry little. */
const maxConnections = 4;
/** Of all differences together, about 600 kB each. */
const maxSamples = 20_000;
const maxFrames = 12_000;

/** Whether there is anything to draw. */
export function hasRecordings({ timeLines = [], flameGraphs = [] }: Diagnosis): boolean {
  return timeLines.length > 0 || flameGraphs.length > 0;
}

/** Whether the page needs what draws flame graphs. */
export function hasFlames({ diagnosis = [] }: ReportContext['summary']): boolean {
  return diagnosis.some(({ flameGraphs = [] }) => flameGraphs.length > 0);
}

interface Room {
  samples: number;
  frames: number;
}

/** What was recorded of each difference, as far as the page has room; the first come first. */
export function pageDiagnoses(context: ReportContext): (PageDiagnosis | null)[] {
  const room: Room = { samples: maxSamples, frames: maxFrames };
  return (context.summary.diagnosis ?? []).map((entry) =>
    hasRecordings(entry) ? pageDiagnosis(entry, room, context) : null,
  );
}

function pageDiagnosis(diagnosis: Diagnosis, room: Room, context: ReportContext): PageDiagnosis {
  const { before, after } = armsOf(diagnosis);
  const { timeLines = [], flameGraphs = [] } = diagnosis;
  // An arm that recorded nothing keeps its place and colour, and the plots say so.
  const lines =
    timeLines.length === 0
      ? []
      : [diagnosis.baselineArm, diagnosis.candidateArm].map((arm) =>
          pageTimeLine(timeLines.find((line) => line.arm === arm) ?? { arm, connections: [], sockets: [] }),
        );
  const samples = lines.reduce((sum, line) => sum + samplesOf(line), 0);
  const frames = flameGraphs.reduce((sum, { root }) => sum + framesOf(root), 0);
  const fitsLines = samples <= room.samples;
  const fitsFlames = frames <= room.frames;
  if (fitsLines) room.samples -= samples;
  if (fitsFlames) room.frames -= frames;
  return {
    title: diagnosisTitle(diagnosis, context.summary, context.labels),
    baseline: before,
    candidate: after,
    timeLines: fitsLines ? lines : [],
    block: blockName(timeLines[0]?.blockIndex ?? 0, context.summary.run.repetitions),
    linkBands: linkBands(timeLines.find(({ linkSchedule }) => linkSchedule !== undefined)?.linkSchedule),
    flames: fitsFlames ? flameGraphs.map(pageFlame) : [],
    leftOut: [...(fitsLines ? [] : ['the time lines']), ...(fitsFlames ? [] : ['the flame graphs'])],
  };
}

function pageTimeLine({
  arm,
  connections,
  sockets,
}: Pick<TimeLine, 'arm' | 'connections' | 'sockets'>): PageTimeLine {
  // What a sender had under way at most tells how much a connection carried.
  const weight = ({ samples }: TimeLine['connections'][number]): number =>
    samples.reduce((most, { inFlightBytes }) => Math.max(most, inFlightBytes ?? 0), 0);
  const shown = connections.toSorted((a, b) => weight(b) - weight(a)).slice(0, maxConnections);
  return {
    arm,
    title: armTitle(arm),
    probe: armOfLabel(arm)?.factors.protocol === 'h3' ? 'qlog' : 'transport',
    connections: shown.map(({ transport, side, name, samples }) => ({
      name: `${transport.toUpperCase()} ${name}, by the ${side}`,
      samples: samples.map(({ tMs, rttMs, congestionWindowBytes, inFlightBytes, lostPackets }) => [
        tMs,
        rttMs === null ? null : Number(rttMs.toPrecision(4)),
        congestionWindowBytes,
        inFlightBytes,
        lostPackets,
      ]),
    })),
    connectionsLeftOut: connections.length - shown.length,
    sockets: sockets.slice(0, maxConnections).map(({ name, samples }) => ({
      name,
      samples: samples.map(({ tMs, waitingBytes, droppedDatagrams }) => [
        tMs,
        waitingBytes,
        droppedDatagrams,
      ]),
    })),
  };
}

function samplesOf({ connections, sockets }: PageTimeLine): number {
  return [...connections, ...sockets].reduce((sum, { samples }) => sum + samples.length, 0);
}

function pageFlame({ side, baselineTrials, candidateTrials, minShare, root }: FlameGraph): PageFlameGraph {
  const whose = side === 'client' ? 'the client' : 'the server';
  return {
    title: `CPU time of ${whose}, ms a trial (${baselineTrials} and ${candidateTrials} trials)`,
    minShare,
    root: pageFrame(root),
  };
}

function pageFrame({ name, baselineMs, candidateMs, children = [] }: FlameNode): PageFlameFrame {
  const own = [name, baselineMs, candidateMs] as const;
  return children.length === 0 ? own : [...own, children.map(pageFrame)];
}

function framesOf({ children = [] }: FlameNode): number {
  return children.reduce((sum, child) => sum + framesOf(child), 1);
}
