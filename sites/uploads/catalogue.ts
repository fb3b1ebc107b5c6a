import type { Workload } from '../../src/core/model/workload.ts';
import { bytesOfSize, sizeTitle } from '../../src/core/model/units.ts';
import { uploadWorkload } from './upload-workload.ts';

/** What ships; a name may say any other size. */
const sizes = ['100kb', '1mb', '10mb', '100mb'];

/** About what the camera of a phone makes of one picture. */
const photoBytes = 3_000_000;

const formWorkload = (): Workload =>
  uploadWorkload({
    id: 'upload-form',
    title: 'Photo upload, a form with 3 MB',
    form: 'form',
    sizeBytes: photoBytes,
  });

/** Uploads of one body: `upload-<size>`, and `upload-form`, a photo in a form. */
export function uploadWorkloads(): readonly Workload[] {
  const plain = sizes.map((size) => uploadWorkloadNamed(`upload-${size}`));
  return [...plain.filter((workload) => workload !== undefined), formWorkload()];
}

/** The body is made in the memory of the page. */
const maxBytes = 200e6;

/** An upload by its name, of any size to 200 MB: `upload-<n>kb|mb`; else undefined. */
export function uploadWorkloadNamed(id: string): Workload | undefined {
  if (id === 'upload-form') return formWorkload();
  const [, size = ''] = /^upload-([1-9]\d*(?:kb|mb))$/.exec(id) ?? [];
  const sizeBytes = bytesOfSize(size);
  if (sizeBytes === 0 || sizeBytes > maxBytes) return undefined;
  const title = `${sizeTitle(sizeBytes)} upload`;
  return uploadWorkload({ id, title, form: 'plain', sizeBytes });
}
