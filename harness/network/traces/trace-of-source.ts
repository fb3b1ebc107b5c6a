import type { TraceSource } from '../../../src/model/network-spec.ts';
import { generateTrace } from './generate-trace.ts';
import { readTrace } from './read-trace.ts';
import { capped, requireUsable, type Trace } from './trace.ts';

/** The trace that a specification names, read or generated, capped. @throws H2h3Error `bad-input` */
export async function traceOfSource(source: TraceSource): Promise<Trace> {
  const trace =
    source.format === 'generated'
      ? generateTrace(source)
      : requireUsable(await readTrace(source.file, source.format), source.file);
  return source.capMbps === undefined ? trace : capped(trace, source.capMbps);
}
