import type { Heterogeneity } from '../../src/core/model/summary.ts';
import type { PackedComparisons, PageArm, PageComparison } from './page-data.ts';

const textFields = [
  'workload',
  'kind',
  'metric',
  'metricName',
  'condition',
  'place',
  'unit',
  'verdict',
  'reason',
] as const satisfies readonly (keyof PageComparison)[];
const plainFields = [
  'id',
  'why',
  'primary',
  'pooled',
  'higherIsBetter',
  'blocks',
  'ratio',
  'ratioInterval',
  'difference',
  'differenceInterval',
  'intervalLevel',
  'margin',
  'pValue',
  'adjustedPValue',
  'cliffsDelta',
  'blocksNeeded',
  'smallestDetectable',
  'warnings',
  'recorded',
  'values',
  'valuesLeftOut',
] as const satisfies readonly (keyof PageComparison)[];
const siteFields = [
  'ratio',
  'cells',
  'adjustedPBeyondMargin',
  'decided',
] as const satisfies readonly (keyof Heterogeneity['sites'][number])[];
const armFields = ['n', 'median', 'lowerQuartile', 'upperQuartile', 'minimum', 'maximum'] as const;

export function packComparisons(comparisons: readonly PageComparison[]): PackedComparisons {
  const places = new Map<string, number>();
  const textIndex = (text: string | null): number => {
    if (text === null) return -1;
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  };
  const packArm = (arm: PageArm): unknown[] => [
    textIndex(arm.label),
    textIndex(arm.title),
    ...armFields.map((field) => arm[field]),
  ];
  const packSites = (heterogeneity: Heterogeneity | null): unknown[] | null =>
    heterogeneity && [
      { ...heterogeneity, sites: undefined },
      ...heterogeneity.sites.map((site) => [
        textIndex(site.workload),
        ...siteFields.map((field) => site[field]),
      ]),
    ];
  const rows = comparisons.map((comparison) => [
    ...textFields.map((field) => textIndex(comparison[field])),
    packSites(comparison.heterogeneity),
    packArm(comparison.baseline),
    packArm(comparison.candidate),
    ...plainFields.map((field) => comparison[field]),
  ]);
  return { texts: [...places.keys()], rows };
}

export function unpackComparisons({ texts, rows }: PackedComparisons): PageComparison[] {
  const textAt = (place: unknown): string | null => texts[place as number] ?? null;
  const unpackArm = (packed: unknown): object => {
    const [label, title, ...numbers] = packed as unknown[];
    return {
      label: textAt(label),
      title: textAt(title),
      ...Object.fromEntries(armFields.map((field, i) => [field, numbers[i]])),
    };
  };
  const unpackSites = (packed: unknown): object | null => {
    if (packed === null) return null;
    const [shared, ...sites] = packed as [object, ...unknown[][]];
    return {
      ...shared,
      sites: sites.map(([workload, ...values]) => ({
        workload: textAt(workload),
        ...Object.fromEntries(siteFields.map((field, i) => [field, values[i]])),
      })),
    };
  };
  return rows.map((row) => {
    const afterTexts = textFields.length + 1;
    return {
      ...Object.fromEntries(textFields.map((field, i) => [field, textAt(row[i])])),
      heterogeneity: unpackSites(row[textFields.length]),
      baseline: unpackArm(row[afterTexts]),
      candidate: unpackArm(row[afterTexts + 1]),
      ...Object.fromEntries(plainFields.map((field, i) => [field, row[afterTexts + 2 + i]])),
    } as unknown as PageComparison;
  });
}
