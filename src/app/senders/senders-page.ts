import { join, resolve } from 'node:path';
import { renderSendersCsv } from '../../../reports/csv/senders-csv.ts';
import { renderSendersPage } from '../../../reports/html/senders/render-senders-page.ts';
import { sendersSchema, type Senders } from '../../core/model/senders.ts';
import { makeFolder } from '../../core/system/storage-error.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { readDocument } from '../../store/read-document.ts';
import { packageDir } from '../version.ts';

export interface SendersPage {
  readonly senders: Senders;
  /** Path of `senders.html`; JSON and CSV lie beside it. */
  readonly pagePath: string;
}

/** Of the measurement that the project keeps: docs/senders.md tells it. */
export const keptSendersFile = (): string => join(packageDir(), 'reports', 'senders', 'senders.json');

/** @throws H2h3Error `bad-input` */
export function readSenders(file: string): Senders {
  return readDocument(file, sendersSchema, {
    what: 'senders.json of an earlier measurement',
    next: 'Name the senders.json that `npx h2h3 senders` wrote.',
  });
}

/** Writes the page, its data as JSON, and a CSV of every property. @throws H2h3Error `storage` */
export async function writeSendersPage(folder: string, senders: Senders): Promise<SendersPage> {
  makeFolder(folder);
  writeWhole(join(folder, 'senders.json'), `${JSON.stringify(senders, null, 1)}\n`);
  writeWhole(join(folder, 'senders.csv'), renderSendersCsv(senders));
  const pagePath = resolve(folder, 'senders.html');
  writeWhole(pagePath, await renderSendersPage(senders));
  return { senders, pagePath };
}
