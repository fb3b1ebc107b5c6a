import { unpackComparisons } from '../pack-comparisons.ts';
import type { PageComparison, PageData } from '../page-data.ts';

/** The page's data, comparisons unpacked and found by anchor. */
export interface Page extends Omit<PageData, 'comparisons'> {
  readonly comparisons: readonly PageComparison[];
  readonly byId: ReadonlyMap<string, PageComparison>;
}

export function readPage(): Page {
  const data = JSON.parse(element('page-data').textContent) as PageData;
  const comparisons = unpackComparisons(data.comparisons);
  return {
    ...data,
    comparisons,
    byId: new Map(comparisons.map((comparison) => [comparison.id, comparison])),
  };
}

/** An element that the page's own markup always holds. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
}

/** A new element with attributes and children; text becomes text nodes, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Items without repetition, in the order of their first appearance. */
export function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
