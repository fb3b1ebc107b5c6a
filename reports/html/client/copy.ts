import { make } from './read-page.ts';

/** Rows as CSV (RFC 4180): quoted where needed, CRLF between lines. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  const field = (value: string | number | null): string => {
    const text = value === null ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(',')).join('\r\n') + '\r\n';
}

function copyByselection(text: string): boolean {
  const area = make('textarea', { 'aria-hidden': 'true', tabindex: '-1' });
  area.className = 'sr';
  area.value = text;
  document.body.append(area);
  area.select();
  // Works without permission where the clipboard interface is withheld from pages opened by double click.
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

/** Says on the button what came of it, then gives it back its name. */
export function answerOn(button: HTMLElement, answer: string): void {
  const name = button.dataset['name'] ?? button.textContent;
  button.dataset['name'] = name;
  button.textContent = answer;
  setTimeout(() => {
    button.textContent = name;
  }, 1600);
}

export async function copyText(text: string, button: HTMLElement): Promise<void> {
  let done: boolean;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    done = copyByselection(text);
  }
  answerOn(button, done ? 'Copied' : 'Not allowed here');
}

/** Saves a canvas as PNG on a ground of its own, so that it reads on any page. */
export function savePng(canvas: HTMLCanvasElement, ground: string, name: string): void {
  const copy = make('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  if (context === null) return;
  context.fillStyle = ground;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  make('a', { href: copy.toDataURL('image/png'), download: `${name}.png` }).click();
}
