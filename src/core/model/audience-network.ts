/** Where a comparison stands that is weighted over a whole audience: in the place of a network. */
export const audienceNetwork = 'audience';
