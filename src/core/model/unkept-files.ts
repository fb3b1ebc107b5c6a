/**
 * Of files with this ending servers say that no cache may keep them. Chromium takes in by itself what no page reads of an answer, up to
 * 60 MiB, but leaves that of such a one in its windows.
 */
export const unkeptEnding = 'unkept';
