/**
 * The place of each chunk in the film, from 0. One that was fetched again in another track has the place of the first; players move
 * starts by less than a frame.
 *
 * @param inOrder by their starts
 */
export function placesOf(
  inOrder: readonly { readonly mediaStartSeconds: number; readonly durationSeconds: number }[],
): number[] {
  let place = -1;
  let placeStartSeconds = Number.NEGATIVE_INFINITY;
  return inOrder.map(({ mediaStartSeconds, durationSeconds }) => {
    if (mediaStartSeconds - placeStartSeconds > durationSeconds / 2) {
      place += 1;
      placeStartSeconds = mediaStartSeconds;
    }
    return place;
  });
}
