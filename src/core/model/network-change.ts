/** Chromium’s name of what it does to connections when an interface or an address of the machine comes or goes. */
const networkChanged = 'ERR_NETWORK_CHANGED';

/** @param error what the browser, or who drives it, says */
export const isNetworkChange = (error: string | undefined): boolean =>
  error?.includes(networkChanged) === true;
