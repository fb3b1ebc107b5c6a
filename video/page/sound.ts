/** Folder and representation of a film's sound. Tracks of pictures are named by their rates. */
export const soundRepresentation = 'sound';
