import type { ErrorCode, ErrorContext } from '../../core/model/errors.ts';
import type { ProgressEvent } from './progress-event.ts';

/** What the caller writes to the program's standard input, one line of JSON. */
export interface CallMessage {
  readonly operation: string;
  readonly parameters: readonly unknown[];
  readonly cacheDir?: string | undefined;
}

/** What the program answers on its standard output, lines of JSON; the last is `done` or `failed`. */
export type AnswerMessage =
  | { readonly type: 'progress'; readonly event: ProgressEvent }
  | { readonly type: 'done'; readonly value: unknown }
  | {
      readonly type: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly context: ErrorContext;
      readonly next?: string | undefined;
    };
