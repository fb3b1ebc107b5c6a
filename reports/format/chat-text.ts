import { withoutSteering } from '../../src/core/model/steering-characters.ts';

/** Invisible, and enough that what it parts is no name and no address to a chat. */
const gap = '\u200b';

/**
 * Text of others as the chats show it that take Slack's form (Slack, Mattermost, Rocket.Chat): without markup, without a name that
 * calls somebody, without links, in one line.
 */
export function chatText(text: string): string {
  return withoutSteering(text.replaceAll(/\s+/g, ' '))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/(?<!\w)@(?=\w)/g, `@${gap}`)
    .replaceAll('](', `]${gap}(`)
    .replaceAll(/\b([a-z][a-z\d+.-]*):\/\//gi, `$1:${gap}//`)
    .replaceAll(/\bwww\./gi, `www${gap}.`)
    .replaceAll('`', '\u02cb');
}
