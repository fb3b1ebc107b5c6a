import type { MeasuredProperty, Sender, Senders } from '../../src/core/model/senders.ts';
import { csvTable, type CsvColumn } from './csv-text.ts';

interface Row {
  readonly sender: Sender;
  readonly measured: MeasuredProperty;
  readonly unit: string;
}

const columns: readonly CsvColumn<Row>[] = [
  ['server', ({ sender }) => sender.server],
  ['version', ({ sender }) => sender.version],
  ['protocol', ({ sender }) => sender.protocol],
  ['congestion_control', ({ sender }) => sender.congestionControl],
  ['property', ({ measured }) => measured.property],
  ['unit', ({ unit }) => unit],
  ['median', ({ measured }) => measured.median],
  ['low', ({ measured }) => measured.interval?.[0]],
  ['high', ({ measured }) => measured.interval?.[1]],
  ['repeats', ({ measured }) => measured.count],
  ['allowed', ({ measured }) => measured.allowed],
  ['verdict', ({ measured }) => measured.verdict],
  ['times', ({ measured }) => measured.times],
];

/** A row for each property of each sender. */
export function renderSendersCsv({ senders, properties }: Senders): string {
  const units = new Map(properties.map(({ id, unit }) => [id, unit]));
  return csvTable(
    columns,
    senders.flatMap((sender) =>
      sender.properties.map((measured) => ({ sender, measured, unit: units.get(measured.property) ?? '' })),
    ),
  );
}
