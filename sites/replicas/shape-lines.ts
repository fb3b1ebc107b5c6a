import { objectTypes, type ObjectType, type ShapeRequest, type SiteShape } from './site-shape.ts';

/**
 * The compact form in which shapes are kept: a site a line, a column a field, starts as differences, unknown numbers
 * as null. One letter a type, in the order of `typeLetters`.
 */
interface ShapeLine {
  readonly site: string;
  readonly year: number;
  readonly source: string;
  readonly types: string;
  readonly hosts: readonly number[];
  readonly wire: readonly (number | null)[];
  readonly raw: readonly (number | null)[];
  readonly gaps: readonly number[];
  readonly initiators: readonly (number | null)[];
  readonly urgencies: readonly (number | null)[];
}

const typeLetters: Readonly<Record<ObjectType, string>> = {
  html: 'h',
  css: 'c',
  js: 'j',
  image: 'i',
  font: 'f',
  json: 'n',
  video: 'v',
  audio: 'a',
  other: 'o',
};

export function shapeToLine(shape: SiteShape): string {
  const { requests } = shape;
  const line: ShapeLine = {
    site: shape.site,
    year: shape.year,
    source: shape.source,
    types: requests.map((request) => typeLetters[request.type]).join(''),
    hosts: requests.map((request) => request.host),
    wire: requests.map((request) => request.wireBytes),
    raw: requests.map((request) => request.rawBytes),
    gaps: requests.map((request, row) => request.startMs - (requests[row - 1]?.startMs ?? 0)),
    initiators: requests.map((request) => request.initiator),
    urgencies: requests.map((request) => request.urgency),
  };
  return JSON.stringify(line);
}

export function shapeFromLine(text: string): SiteShape {
  const line = JSON.parse(text) as ShapeLine;
  let startMs = 0;
  const requests = [...line.types].map((letter, row): ShapeRequest => {
    startMs += line.gaps[row] ?? 0;
    return {
      host: line.hosts[row] ?? 0,
      type: objectTypes.find((type) => typeLetters[type] === letter) ?? 'other',
      wireBytes: line.wire[row] ?? null,
      rawBytes: line.raw[row] ?? null,
      startMs,
      initiator: line.initiators[row] ?? null,
      urgency: line.urgencies[row] ?? null,
    };
  });
  return { site: line.site, year: line.year, source: line.source, requests };
}
