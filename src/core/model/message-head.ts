/**
 * As much as Chromium takes of one message's head, bytes. Nothing between a browser and an app or a recording takes less, so that
 * none of them is blamed for a limit of ours.
 */
export const maxHeaderBytes = 256 * 1024;
