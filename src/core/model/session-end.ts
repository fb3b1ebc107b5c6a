/**
 * What the page of a session asks its own host for when it has ended: so its end is known from the server's log, and no browser
 * need ask the page meanwhile. Left out of every count.
 */
export const sessionEndPath = '/h2h3-session-ended';
