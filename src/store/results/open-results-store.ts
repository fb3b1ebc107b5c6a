import { H2h3Error } from '../../core/model/errors.ts';
import { shownAddress } from '../../core/model/user-information.ts';
import { folderStore } from './folder-store.ts';
import type { ResultsStore } from './results-store.ts';
import { s3Store } from './s3-store.ts';

/** @param place a folder that all machines see, or a bucket (`s3://bucket/prefix`) @throws H2h3Error `usage`, `unsupported` */
export async function openResultsStore(place: string): Promise<ResultsStore> {
  if (/^s3:\/\//i.test(place)) return s3Store(place);
  if (!/^[a-z0-9]+:\/\//i.test(place)) return folderStore(place);
  throw new H2h3Error('usage', `results cannot be kept at ${shownAddress(place)}`, {
    context: { expected: 'a folder that all machines see, or s3://bucket/prefix' },
  });
}
