/** The first track of moving pictures: covers and thumbnails are video tracks to ffmpeg as well (`V` leaves them out). */
export const filmTrack = '0:V:0';
