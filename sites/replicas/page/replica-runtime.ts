import type { ReplicaManifest } from '../replica-manifest.ts';

/**
 * Asks for the objects of a replica, each when the object that caused it is done and its wave has come. Scripts of the
 * page call `h(row)` when they run; `s(row)` asks for one object at once.
 */
export function replicaRuntime(manifest: ReplicaManifest): void {
  const waves = [...manifest.waves].map((wave) => parseInt(wave, 36));
  const hosts = manifest.hosts.split(',').map((host) => parseInt(host, 36));
  const causes = manifest.causes.split(',').map((cause) => parseInt(cause, 36));
  const started: boolean[] = [];
  const planned: boolean[] = [];
  const done: boolean[] = [];
  let queue = Promise.resolve();
  let openWave = 0;

  function urlOf(row: number, ending: string): string {
    const host = hosts[row] ? 'h' + hosts[row] : 'www';
    return '//' + host + '.' + manifest.domain + ':' + location.port + '/' + row + '.' + ending;
  }

  function add(row: number, tag: string, properties: object): HTMLElement {
    const element = Object.assign(document.createElement(tag), properties);
    element.onload = element.onerror = () => finish(row);
    (document.body || document.documentElement).append(element);
    return element;
  }

  function get(row: number, ending: string): void {
    void fetch(urlOf(row, ending))
      .then((response) => response.arrayBuffer())
      .then(() => finish(row));
  }

  function start(row: number): void {
    if (started[row]) return;
    started[row] = true;
    const letter = manifest.letters[row] ?? '';
    if (letter === 'j') add(row, 'script', { src: urlOf(row, 'js') }).onload = null;
    else if (letter === 'c') add(row, 'link', { rel: 'stylesheet', href: urlOf(row, 'css') });
    else if (letter === 'h') add(row, 'iframe', { src: urlOf(row, 'html') });
    else if (letter >= '0' && letter <= '4')
      add(row, 'img', { className: 'i' + letter, src: urlOf(row, 'png') });
    else if (letter === '5') add(row, 'img', { className: 'i1', src: urlOf(row, 'gif') });
    else if (letter === '6') add(row, 'img', { className: 'i2', src: urlOf(row, 'svg') });
    else if (letter === 'b') void add(row, 'i', { className: 'i2 b' + row }).offsetWidth;
    else if (letter === 'f')
      void add(row, 'p', { className: 'f' + row, textContent: 'Replica text' }).offsetWidth;
    else if (letter === 'F') {
      const face = new FontFace('f' + row, 'url(' + urlOf(row, 'ttf') + ')');
      document.fonts.add(face);
      void face.load().then(() => finish(row));
      add(row, 'p', { textContent: 'Replica text' }).style.fontFamily = 'f' + row;
    } else
      get(
        row,
        { n: 'json', v: 'mp4', u: 'mp3', H: 'html', J: 'js', C: 'css', P: 'png', G: 'gif' }[letter] ?? 'bin',
      );
  }

  function finish(row: number): void {
    if (done[row]) return;
    done[row] = true;
    const wave = manifest.triggers.indexOf(row);
    if (wave >= 0) {
      const untilMs = performance.now() + (manifest.spinsMs[wave] ?? 0);
      while (performance.now() < untilMs);
      openWave = Math.max(openWave, wave + 1);
    }
    waves.forEach((due, other) => {
      const cause = causes[other] ?? NaN;
      const isDue = due <= openWave && (isNaN(cause) || done[cause]);
      if (!isDue || planned[other]) return;
      planned[other] = true;
      // Images are asked for in a microtask of their own: one object a microtask keeps the order.
      queue = queue.then(() => start(other));
    });
  }

  Object.assign(globalThis, { h: finish, s: start });
}
