import { messageOf } from '../../src/core/model/errors.ts';

/** One line of the table that `bench:harness` prints. */
export interface BenchRow {
  readonly group:
    | 'trial to trial'
    | 'two machines'
    | 'trial overhead'
    | 'probe cost'
    | 'instrumentation'
    | 'server headroom'
    | 'emulated path'
    | 'replay'
    | 'script cost'
    | 'asked of the browser'
    | 'replica work'
    | 'congestion control'
    | 'report';
  /** What was measured: a client, a probe, a protocol. */
  readonly subject: string;
  /** The probe whose cost it is, where it is one's; the subject names it too. */
  readonly probe?: { readonly id: string; readonly where: string };
  readonly quantity: string;
  readonly unit: string;
  /** Median; null where it could not be measured, `note` says why. */
  readonly value: number | null;
  /** Smallest and largest of the repetitions. */
  readonly range: readonly [number, number] | null;
  readonly repetitions: number;
  /** What the value must not exceed (or, for rates, must reach); null where nothing is demanded. */
  readonly limit: number | null;
  readonly ok: boolean | null;
  readonly note: string;
  /** Each repetition's value, where something else is worked out from them. */
  readonly samples?: readonly number[];
}

export type RowParts = Pick<BenchRow, 'group' | 'subject' | 'quantity' | 'unit' | 'probe'> & {
  readonly values: readonly number[];
  readonly atMost?: number;
  readonly note?: string;
  readonly samples?: readonly number[];
};

/** A row of the median of `values`. */
export function benchRow(parts: RowParts): BenchRow {
  const { group, subject, probe, quantity, unit, values, atMost, note = '', samples } = parts;
  const value = medianOf(values);
  return {
    group,
    subject,
    quantity,
    unit,
    value,
    range: value === null ? null : [Math.min(...values), Math.max(...values)],
    repetitions: values.length,
    limit: atMost ?? null,
    ok: atMost === undefined || value === null ? null : value <= atMost,
    note,
    ...(probe === undefined ? {} : { probe }),
    ...(samples === undefined ? {} : { samples }),
  };
}

/** The rows that `measure` gives, or one that says why there are none; what the user asked to stop goes on as that. */
export async function rowsOrReason(
  missing: Pick<BenchRow, 'group' | 'subject' | 'quantity'> & Partial<Pick<BenchRow, 'unit'>>,
  signal: AbortSignal,
  measure: () => Promise<BenchRow[]>,
): Promise<BenchRow[]> {
  try {
    return await measure();
  } catch (thrown) {
    signal.throwIfAborted();
    return [benchRow({ unit: 'ms', ...missing, values: [], note: messageOf(thrown) })];
  }
}

/** Null of no values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
