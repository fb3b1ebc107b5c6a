/** Runs in Firefox's window, with the browser's own privileges. */
declare const gBrowser: { readonly selectedBrowser: HTMLElement };

/**
 * Hides toolbars and the status panel and gives the window the size at which the page has a viewport of `width` × `height`, so
 * that pictures of the window are pictures of the page. Resolves with false when the screen is too small.
 */
export async function prepareWindow(width: number, height: number): Promise<boolean> {
  for (const id of ['navigator-toolbox', 'statuspanel']) {
    const element = document.getElementById(id);
    if (element !== null) element.style.display = 'none';
  }
  const page = gBrowser.selectedBrowser;
  const limitMs = performance.now() + 500;
  for (;;) {
    const missingWidth = width - page.clientWidth;
    const missingHeight = height - page.clientHeight;
    if (missingWidth === 0 && missingHeight === 0) return true;
    if (performance.now() > limitMs) return false;
    window.resizeBy(missingWidth, missingHeight);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
