import { writeArchive, type RecordedExchange } from '../../sites/archive/write-archive.ts';

export const smallHost = 'site.test';
export const smallPage = '<!DOCTYPE html><link rel="icon" href="data:,"><p>recorded<img src="/picture.svg">';
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

/** A recorded site of a page with a picture, in `folder`. */
export async function writeSmallArchive(folder: string): Promise<void> {
  const exchange = (path: string, type: string, body: string): RecordedExchange => ({
    entry: {
      host: smallHost,
      path,
      query: '',
      range: '',
      method: 'GET',
      startMs: 0,
      status: 200,
      waitMs: 0,
      headers: [['content-type', type]],
    },
    body: Buffer.from(body),
    requestBody: null,
  });
  const head = { urls: [`https://${smallHost}/`], recorder: 'test', complete: true, removed: {} };
  await writeArchive(folder, { ...head, recordedAt: new Date().toISOString() }, [
    exchange('/', 'text/html', smallPage),
    exchange('/picture.svg', 'image/svg+xml', picture),
  ]);
}
