import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { readInput } from '../../src/core/system/read-input.ts';
import { shapeOf, siteShapesFileSchema, type SiteShape } from './site-shape.ts';

/** Reads a file in the site-shapes format. @throws H2h3Error `bad-input` naming the place, what was expected and what was got. */
export function readShapeFile(file: string): readonly SiteShape[] {
  const parsed = siteShapesFileSchema.safeParse(parseJson(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new H2h3Error('bad-input', `${file} is not in the site-shapes format`, {
      context: { file, expected: issue?.message ?? 'site shapes', got: issue?.path.join('.') ?? '' },
      next: 'Expected {"sites":[{"site":name,"requests":[[host,type,wireBytes,rawBytes,startMs,initiator,depth,urgency],…]}]}.',
    });
  }
  const shapes = parsed.data.sites.map(shapeOf);
  for (const shape of shapes) checkShape(shape, file);
  checkNames(shapes, file);
  return shapes;
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readInput(file, { what: 'site shapes' }).toString('utf8'));
  } catch (cause) {
    throw new H2h3Error('bad-input', `Cannot read site shapes from ${file}: ${messageOf(cause)}`, {
      cause,
      context: { file },
      next: 'Name a JSON file in the site-shapes format.',
    });
  }
}

/** What the schema cannot say: order, a document, initiators that come first. */
function checkShape(shape: SiteShape, file: string): void {
  const fail = (expected: string, got: string): never => {
    throw new H2h3Error('bad-input', `${file}: the shape of ${shape.site} cannot be replayed`, {
      context: { file, expected, got },
    });
  };
  if (!shape.requests.some((request) => request.type === 'html')) fail('a request of type html', 'none');
  shape.requests.forEach((request, row) => {
    if (request.initiator !== null && request.initiator >= row) {
      fail('an initiator before its request', `initiator ${request.initiator} of row ${row}`);
    }
    const previous = shape.requests[row - 1];
    if (previous !== undefined && previous.startMs > request.startMs) {
      fail(
        'requests in order of their start',
        `row ${row} at ${request.startMs} ms after ${previous.startMs} ms`,
      );
    }
  });
}

function checkNames(shapes: readonly SiteShape[], file: string): void {
  const seen = new Set<string>();
  for (const { site } of shapes) {
    const name = site.toLowerCase();
    if (seen.has(name)) {
      throw new H2h3Error('bad-input', `${file} holds ${site} twice`, {
        context: { file, expected: 'one shape a name', got: site },
      });
    }
    seen.add(name);
  }
}
