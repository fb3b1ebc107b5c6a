/**
 * Asks for bodies that nobody waits for, and, while they come, for the picture that is the page: whoever sends what is urgent
 * first lets it overtake them.
 */
const parameters = new URLSearchParams(location.search);
const bodyCount = Number(parameters.get('bodies'));
const lateMs = Number(parameters.get('late'));

/** `priority` of fetch is of the Fetch standard; this compiler's types have it not yet. */
const unhurried: RequestInit & { readonly priority: 'low' } = { priority: 'low' };

async function readWhole(index: number): Promise<void> {
  const response = await fetch(`low-${index}.bin`, unhurried);
  await response.arrayBuffer();
}

function showPicture(): void {
  const picture = document.createElement('img');
  picture.setAttribute('fetchpriority', 'high');
  picture.alt = '';
  picture.src = 'urgent.png';
  document.body.append(picture);
}

setTimeout(showPicture, lateMs);
void Promise.all(Array.from({ length: bodyCount }, (_, index) => readWhole(index)));

export {};
