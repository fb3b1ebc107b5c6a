import type { Har, HarEntry, HarPage, HarTimings } from '../../src/core/model/har.ts';

/** HAR has no null: a time that does not apply is −1. */
function timing(value: number | null): number {
  return value ?? -1;
}

function portablePage({ pageTimings, ...page }: HarPage): HarPage {
  const { onContentLoad, onLoad } = pageTimings;
  return { ...page, pageTimings: { onContentLoad: timing(onContentLoad), onLoad: timing(onLoad) } };
}

/** What took no time is 0 where the specification wants a number, and the whole is the sum of its parts. */
function portableTimings(timings: HarTimings): { timings: HarTimings; time: number } {
  const { blocked = -1, dns = -1, connect = -1 } = timings;
  const [send, wait, receive] = [timings.send, timings.wait, timings.receive].map((ms) => Math.max(0, ms));
  const required = { send: send ?? 0, wait: wait ?? 0, receive: receive ?? 0 };
  const phases = [blocked, dns, connect, ...Object.values(required)];
  return {
    timings: { ...timings, ...required },
    time: phases.reduce((sum, ms) => sum + Math.max(0, ms), 0),
  };
}

/** An address without the brackets that it has in a URL; none where the object never reached one. */
function portableEntry({ serverIPAddress, ...entry }: HarEntry): HarEntry {
  const address = serverIPAddress?.replace(/^\[|\]$/g, '') ?? '';
  const timed = { ...entry, ...portableTimings(entry.timings) };
  return address === '' ? timed : { ...timed, serverIPAddress: address };
}

/**
 * A HAR that keeps to the letter of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), so that any viewer
 * opens it; what this project knows beyond stays in fields that begin with `_`, as the specification asks for.
 */
export function renderHar({ log }: Har): string {
  const { pages, entries } = log;
  const portable = { ...log, pages: pages.map(portablePage), entries: entries.map(portableEntry) };
  return JSON.stringify({ log: portable });
}
