import { formatNumber } from '../../format/numbers.ts';
import type { PageLoad, PageLoadGroup } from '../page-data.ts';
import { stripMoments } from '../strip-moments.ts';
import { make } from './read-page.ts';

/** Steps of a film that is playing, ms; it plays as fast as the load was. */
const playStepMs = 50;

function source(data: string): string {
  return `data:image/jpeg;base64,${data}`;
}

/** What stood on the screen at a moment; the first frame before there was any. */
function frameAt({ frames }: PageLoad, ms: number): string | undefined {
  return (frames.findLast(([tMs]) => tMs <= ms) ?? frames[0])?.[1];
}

function strip(load: PageLoad, arm: number, moments: readonly number[]): HTMLElement {
  const shown = moments.map((ms) => frameAt(load, ms) ?? '');
  const pictures = moments.map((ms, i) => {
    // Marked as what a viewer sees change; the first picture is the beginning.
    const isChanged = i > 0 && shown[i] !== shown[i - 1];
    const words = `${load.title} after ${formatNumber(ms)} ms`;
    const image = make('img', { src: source(shown[i] ?? ''), alt: `The page over ${words}` });
    const button = make(
      'button',
      {
        type: 'button',
        class: 'frame-open',
        'aria-label': `Enlarge: ${words}${isChanged ? ', changed' : ''}`,
      },
      image,
    );
    button.addEventListener('click', () => {
      enlarge(image.src, words);
    });
    const caption = make('figcaption', {}, `${formatNumber(ms)} ms${isChanged ? ' ●' : ''}`);
    return make('figure', { class: isChanged ? 'frame changed' : 'frame' }, button, caption);
  });
  return make('div', { class: 'film' }, make('p', { class: `arm-name arm-${arm}` }, load.title), ...pictures);
}

function enlarge(src: string, words: string): void {
  const close = make('button', { type: 'button' }, 'Close');
  const dialog = make(
    'dialog',
    { class: 'enlarged', 'aria-label': words },
    make('img', { src, alt: words }),
    make('p', {}, words, ' ', close),
  );
  close.addEventListener('click', () => {
    dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** A strip of pictures for each arm, from the first paint on, with what changed marked; nothing without frames. */
export function filmstrips({ loads, firstPaintMs, endMs }: PageLoadGroup): HTMLElement[] {
  const moments = stripMoments(firstPaintMs, endMs);
  const strips = loads.flatMap((load, arm) => (load.frames.length === 0 ? [] : [strip(load, arm, moments)]));
  if (strips.length === 0) return [];
  return [
    ...strips,
    make('p', { class: 'note' }, 'From the first paint on. ● changed since the picture before.'),
  ];
}

export interface Film {
  readonly controls: readonly HTMLElement[];
  /** The pictures of the moment, side by side. */
  readonly stage: readonly HTMLElement[];
  readonly showMoment: (ms: number) => void;
}

/** The film of all arms side by side: it follows the moment, and plays at the true pace. */
export function startFilm(loads: readonly PageLoad[]): Film {
  const filmed = loads.filter(({ frames }) => frames.length > 0);
  if (filmed.length === 0) return { controls: [], stage: [], showMoment: () => undefined };
  const screens = filmed.map((load) => ({
    load,
    image: make('img', { alt: `The page over ${load.title} at the chosen moment` }),
  }));
  const stage = make(
    'div',
    { class: 'stage' },
    ...screens.map(({ load, image }) =>
      make('figure', { class: 'frame' }, image, make('figcaption', {}, load.title)),
    ),
  );
  const play = make('button', { type: 'button' }, '▶ Play side by side');
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    play.textContent = '▶ Play side by side';
  };
  play.addEventListener('click', () => {
    if (timer !== undefined) {
      stop();
      return;
    }
    const moment = play.parentElement?.querySelector('input');
    if (!moment) return;
    if (Number(moment.value) >= Number(moment.max)) moment.value = '0';
    const startedMs = performance.now() - Number(moment.value);
    play.textContent = '❚❚ Stop';
    timer = setInterval(() => {
      moment.value = String(performance.now() - startedMs);
      moment.dispatchEvent(new Event('input'));
      if (Number(moment.value) >= Number(moment.max) || !moment.isConnected) stop();
    }, playStepMs);
  });
  return {
    controls: [play],
    stage: [stage],
    showMoment: (ms) => {
      for (const { load, image } of screens) {
        const data = frameAt(load, ms);
        const src = source(data ?? '');
        if (image.src !== src) image.src = src;
      }
    },
  };
}
