import { effectiveTypeDensities, formFactorDensities, roundTripBins } from './connections.ts';
import type { SegmentField } from './segment.ts';

/** Fields of one kind of users of the Chrome UX Report, and its share of the page views. */
interface Part {
  readonly share: number | string;
  readonly fields: readonly (readonly [SegmentField, string])[];
}

const assumedRates =
  'The Chrome UX Report has no rates: 20, 9 and 1.6 Mbit/s are assumed for its three bins of round trips';
const assumedTypes =
  'The Chrome UX Report has no figures of effective types: the bounds of the Network Information API are taken, and 70 ms at 12 Mbit/s for 4G';
const assumedForms = 'Every form factor is taken to have the same connections';

/** What a table or an answer of the report has, and what its rows assume. */
export interface CruxColumns {
  readonly notes: readonly string[];
  /** The kinds of users of one row. @param valueOf share of a column as it is written */
  readonly rowsOf: (valueOf: (column: string) => string) => Part[];
}

const roundTripParts = roundTripBins.map(({ bigQuery, words, rttMs, downMbps }) => ({
  column: bigQuery,
  fields: [
    ['name', words],
    ['rtt', String(rttMs)],
    ['down', String(downMbps)],
  ] as const,
}));

const effectiveTypeParts = effectiveTypeDensities.map(({ bigQuery, effectiveType }) => ({
  column: bigQuery,
  fields: [
    ['name', effectiveType],
    ['effectiveType', effectiveType],
  ] as const,
}));

const formFactorParts = formFactorDensities.map(({ bigQuery, formFactor }) => ({
  column: bigQuery,
  fields: [['formFactor', formFactor]] as const,
}));

/** Undefined where these columns are no table of the report. Round trips are taken before effective types. */
export function cruxColumns(names: readonly string[]): CruxColumns | undefined {
  const has = (parts: readonly { readonly column: string }[]): boolean =>
    parts.every(({ column }) => names.includes(column));
  const isOfRoundTrips = has(roundTripParts);
  if (!isOfRoundTrips && !has(effectiveTypeParts)) return undefined;
  const connections = isOfRoundTrips ? roundTripParts : effectiveTypeParts;
  const isOfForms = has(formFactorParts);
  return {
    notes: [isOfRoundTrips ? assumedRates : assumedTypes, ...(isOfForms ? [assumedForms] : [])],
    rowsOf: (valueOf) =>
      connections.flatMap(({ column, fields }): Part[] => {
        const share = valueOf(column);
        if (!isOfForms) return [{ share, fields }];
        return formFactorParts.map((form) => ({
          // What is no number stays as it is written, for the error that names it.
          share: isNumeric(share) ? Number(share) * Number(valueOf(form.column)) : share,
          fields: [...fields, ...form.fields],
        }));
      }),
  };
}

const isNumeric = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The shares that an answer of the CrUX API has, by the columns of the tables; undefined of any other document. */
export function cruxAnswer(value: unknown): ReadonlyMap<string, string> | undefined {
  const record = isObject(value) ? value['record'] : undefined;
  if (record === undefined) return undefined;
  const metrics = isObject(record) && isObject(record['metrics']) ? record['metrics'] : {};
  const roundTrips = isObject(metrics['round_trip_time']) ? metrics['round_trip_time']['histogram'] : [];
  const bins = Array.isArray(roundTrips) ? roundTrips : [];
  const densities = bins.map((bin: unknown) =>
    isObject(bin) && typeof bin['density'] === 'number' ? bin['density'] : 0,
  );
  const shares = new Map<string, string>();
  if (densities.length === roundTripBins.length)
    densities.forEach((density, index) => shares.set(roundTripBins[index]?.bigQuery ?? '', String(density)));
  const forms = isObject(metrics['form_factors']) ? metrics['form_factors']['fractions'] : undefined;
  if (isObject(forms))
    for (const { bigQuery, formFactor } of formFactorDensities)
      shares.set(bigQuery, String(Number(forms[formFactor] ?? 0)));
  return shares;
}
