/** Lets the browser skip sections far from the window as soon as it knows their heights at this width. */
export function startSkipping(): void {
  const { classList } = document.documentElement;
  let widthPx = 0;
  const settle = (): void => {
    if (innerWidth === widthPx) return;
    widthPx = innerWidth;
    classList.remove('settled');
    // The first frame lays all out; heights are remembered by the second.
    requestAnimationFrame(() => requestAnimationFrame(() => classList.add('settled')));
  };
  addEventListener('resize', settle);
  settle();
}
