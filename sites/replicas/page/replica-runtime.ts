import type { ReplicaManifest } from '../replica-manifest.ts';
import { scriptTurn } from './script-turn.ts';

/** Endings of objects that are fetched, by letter. */
const fetched: Readonly<Record<string, string>> = {
  n: 'json',
  v: 'mp4',
  u: 'mp3',
  H: 'html',
  J: 'js',
  C: 'css',
  P: 'png',
  G: 'gif',
};

/** What the browser is to show for an object: its element, whether it has an address of its own, and its ending. */
function elementOf(letter: string, row: number, url: (ending: string) => string): [string, object] | null {
  if (letter === 'j') return ['script', { src: url('js') }];
  if (letter === 'c') return ['link', { rel: 'stylesheet', href: url('css') }];
  if (letter === 'h') return ['iframe', { src: url('html') }];
  if (letter >= '0' && letter <= '4') return ['img', { className: 'i' + letter, src: url('png') }];
  if (letter === '5') return ['img', { className: 'i1', src: url('gif') }];
  if (letter === '6') return ['img', { className: 'i2', src: url('svg') }];
  if (letter === 'b') return ['i', { className: 'i2 b' + row }];
  if (letter === 'f' || letter === 'F') return ['p', { className: 'f' + row, textContent: 'Replica text' }];
  return null;
}

/** Does so many turns of work, each of which ends with its result laid out; a client with less of a CPU takes longer. */
function work(turns: number): void {
  const box = document.createElement('div');
  for (let turn = 0; turn < turns; turn++) {
    box.textContent = scriptTurn(turn);
    document.documentElement.append(box);
    void box.offsetHeight;
    box.remove();
  }
}

/**
 * Asks for the objects of a replica, each when the object that caused it is done and its wave has come. Scripts of the
 * page call `h(row)` when they run, and `k(ms)` after it to work as much as this machine does in that time.
 */
export function replicaRuntime(manifest: ReplicaManifest): void {
  const waves = [...manifest.waves].map((wave) => parseInt(wave, 36));
  const hosts = manifest.hosts.split(',').map((host) => parseInt(host, 36));
  const causes = manifest.causes.split(',').map((cause) => parseInt(cause, 36));
  const asked: boolean[] = [];
  const done: boolean[] = [];
  let queue = Promise.resolve();
  let openWave = 0;

  function ask(row: number): void {
    const letter = manifest.letters[row] ?? '';
    const host = hosts[row] ? 'h' + hosts[row] : 'www';
    const url = (ending: string): string =>
      '//' + host + '.' + manifest.domain + ':' + location.port + '/' + row + '.' + ending;
    const described = elementOf(letter, row, url);
    if (described === null) {
      void fetch(url(fetched[letter] ?? 'bin'))
        .then((response) => response.arrayBuffer())
        .then(() => finish(row));
      return;
    }
    const element = Object.assign(document.createElement(described[0]), described[1]);
    // A script tells by itself that it has run.
    if (letter !== 'j') element.onload = element.onerror = () => finish(row);
    (document.body || document.documentElement).append(element);
    if (letter === 'F') {
      const face = new FontFace('f' + row, 'url(' + url('ttf') + ')');
      document.fonts.add(face);
      element.style.fontFamily = 'f' + row;
      void face.load().then(() => finish(row));
    }
    // What a rule asks for is asked for when style and layout are computed.
    if (letter === 'b' || letter === 'f') void element.offsetWidth;
  }

  function finish(row: number): void {
    if (done[row]) return;
    done[row] = true;
    const isOver = (wave: number): boolean => {
      const triggers = manifest.triggers[wave] ?? [];
      return triggers.length > 0 && triggers.every((trigger) => done[trigger]);
    };
    while (isOver(openWave)) openWave++;
    waves.forEach((due, other) => {
      const cause = causes[other] ?? NaN;
      const isDue = due <= openWave && (isNaN(cause) || done[cause]);
      if (!isDue || asked[other]) return;
      asked[other] = true;
      // Images are asked for in a microtask of their own: one object a microtask keeps the order.
      queue = queue.then(() => ask(other));
    });
  }

  Object.assign(globalThis, { h: finish, s: askNow, k: workLater });

  /** In a task of its own, so that what its script causes is asked for before, and in the order in which it was found. */
  function workLater(ms: number): void {
    setTimeout(() => work(Math.round(ms * manifest.turnsPerMs)));
  }

  function askNow(row: number): void {
    if (!asked[row]) ask(row);
    asked[row] = true;
  }
}
