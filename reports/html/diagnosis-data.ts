import type { Diagnosis, FlameGraph, FlameNode, TimeLine } from '../../src/model/diagnosis.ts';
import { armsOf, diagnosisTitle } from '../format/diagnosis-words.ts';
import { armTitle } from '../format/labels.ts';
import type { PageDiagnosis, PageFlameFrame, PageFlameGraph, PageTimeLine } from './page-data.ts';
import type { ReportContext } from './report-context.ts';

/** Of each arm; a page of many hosts has dozens, most of which carry little. */
const mostConnections = 4;
/** Of all differences together, about 600 kB each. */
const mostSamples = 20_000;
const mostFrames = 12_000;

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
  const room: Room = { samples: mostSamples, frames: mostFrames };
  return (context.summary.diagnosis ?? []).map((one) =>
    hasRecordings(one) ? pageDiagnosis(one, room, context) : null,
  );
}

function pageDiagnosis(one: Diagnosis, room: Room, context: ReportContext): PageDiagnosis {
  const { before, after } = armsOf(one);
  const { timeLines = [], flameGraphs = [] } = one;
  const lines = timeLines.map(pageTimeLine);
  const samples = lines.reduce((sum, line) => sum + samplesOf(line), 0);
  const frames = flameGraphs.reduce((sum, { root }) => sum + framesOf(root), 0);
  const [fitsLines, fitsFlames] = [samples <= room.samples, frames <= room.frames];
  if (fitsLines) room.samples -= samples;
  if (fitsFlames) room.frames -= frames;
  return {
    title: diagnosisTitle(one, context.summary, context.labels),
    ...{ baseline: before, candidate: after },
    timeLines: fitsLines ? lines : [],
    blockIndex: timeLines[0]?.blockIndex ?? 0,
    flames: fitsFlames ? flameGraphs.map(pageFlame) : [],
    leftOut: [...(fitsLines ? [] : ['the time lines']), ...(fitsFlames ? [] : ['the flame graphs'])],
  };
}

function pageTimeLine({ arm, connections, sockets }: TimeLine): PageTimeLine {
  // What a sender had under way at most tells how much a connection carried.
  const weight = ({ samples }: TimeLine['connections'][number]): number =>
    samples.reduce((most, { inFlightBytes }) => Math.max(most, inFlightBytes ?? 0), 0);
  const shown = connections.toSorted((a, b) => weight(b) - weight(a)).slice(0, mostConnections);
  return {
    arm,
    title: armTitle(arm),
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
    sockets: sockets.slice(0, mostConnections).map(({ name, samples }) => ({
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

function pageFlame({ side, baselineTrials, candidateTrials, leastShare, root }: FlameGraph): PageFlameGraph {
  const whose = side === 'client' ? 'the client' : 'the server';
  return {
    title: `CPU time of ${whose}, ms a trial (${baselineTrials} and ${candidateTrials} trials)`,
    leastShare,
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
