import type { Workload } from '../../src/core/model/workload.ts';
import { bytesOfSize, sizeTitle } from '../../src/core/model/units.ts';
import { uploadWorkload } from './upload-workload.ts';

/** What ships; a name may say any other size. */
const sizes = ['100kb', '1mb', '10mb', '100mb'];

/** About what the camera of a phone makes of one picture. */
const photoBytes = 3_000_000;

/** Uploads of one body: `upload-<size>`, and `upload-form`, a photo in a form; `-xhr`: with a progress bar. */
export function uploadWorkloads(): readonly Workload[] {
  const names = [...sizes.map((size) => `upload-${size}`), 'upload-form', 'upload-form-xhr'];
  return names.map(uploadWorkloadNamed).filter((workload) => workload !== undefined);
}

/** The body is made in the memory of the page. */
const maxBytes = 200e6;

/** An upload by its name, of any size to 200 MB: `upload-<n>kb|mb`, `upload-form`, and both with `-xhr` behind; else undefined. */
export function uploadWorkloadNamed(id: string): Workload | undefined {
  const [, what = '', byXhr] = /^upload-(form|[1-9]\d*(?:kb|mb))(-xhr)?$/.exec(id) ?? [];
  const isForm = what === 'form';
  const sizeBytes = isForm ? photoBytes : bytesOfSize(what);
  if (sizeBytes === 0 || sizeBytes > maxBytes) return undefined;
  const title = isForm ? 'Photo upload, a form with 3 MB' : `${sizeTitle(sizeBytes)} upload`;
  const form = isForm ? 'form' : 'plain';
  return byXhr === undefined
    ? uploadWorkload({ id, title, form, sizeBytes })
    : uploadWorkload({ id, title: `${title}, by XMLHttpRequest`, form, way: 'xhr', sizeBytes });
}
