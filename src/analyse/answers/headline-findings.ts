import type { Names } from '../../core/model/names.ts';
import { headlineWords } from '../wording/headline-words.ts';
import type { Finding } from './findings.ts';

/** What a headline is made of. */
export interface HeadlineFindings {
  readonly users: readonly Finding[];
  readonly cpu: readonly Finding[];
  /** The networking's part of it. */
  readonly networking: readonly Finding[];
  /** What the server pays. */
  readonly server: readonly Finding[];
  /** What else is decided, the surest first. */
  readonly others: readonly Finding[];
  readonly names: Names;
}

/** A sentence, and the findings of which it speaks. */
export interface Sentence {
  readonly text: string;
  readonly of: readonly Finding[];
  /** Its first word is the name of an arm, which stays as it is behind a prefix. */
  readonly beginsWithArm?: true;
}

export const nounsOf = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.map(({ metric }) => headlineWords(metric).noun)),
];
