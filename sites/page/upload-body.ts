/** What is uploaded: its bytes and their type; empty: none is named. */
export interface UploadBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** How the body is made up: as it is, or as a form with a photo in it (RFC 7578). */
export const uploadForms = ['plain', 'form'] as const;
export type UploadForm = (typeof uploadForms)[number];

/** What a page sends it by: `fetch`, or XMLHttpRequest with a progress bar. */
export const uploadWays = ['fetch', 'xhr'] as const;
export type UploadWay = (typeof uploadWays)[number];

/** Bytes that nothing compresses, the same wherever they are made: those of xorshift (Marsaglia 2003), 32 bits. */
export function fillingBytes(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(sizeBytes / Uint32Array.BYTES_PER_ELEMENT));
  let state = 0x9e3779b9;
  for (let index = 0; index < words.length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return new Uint8Array(words.buffer, 0, sizeBytes);
}

/** The body of an upload; the photo of a form has `sizeBytes`. */
export function uploadBody(form: UploadForm, sizeBytes: number): UploadBody {
  const content = fillingBytes(sizeBytes);
  return form === 'form' ? formBody(content) : { bytes: content, contentType: '' };
}

const boundary = 'h2h3-upload-form-boundary';

function formBody(photo: Uint8Array): UploadBody {
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head =
    field('title', 'A photo') +
    field('album', 'Holidays') +
    `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const encoder = new TextEncoder();
  const parts = [encoder.encode(head), photo, encoder.encode(`\r\n--${boundary}--\r\n`)];
  const bytes = new Uint8Array(parts.reduce((total, { byteLength }) => total + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}
