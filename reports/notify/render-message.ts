import type { MessageFormat, Notification } from '../../src/core/model/notification.ts';
import { chatText } from '../format/chat-text.ts';
import { outcomeDiscs } from '../format/verdict-colours.ts';

const signs: Readonly<Record<Notification['outcome'], string>> = {
  ...outcomeDiscs,
  failed: '⚠️',
};

/** Chat tools cut or refuse longer messages (Discord: 2000 characters). */
const maxCharacters = 1900;

/** One line and a link, as it is: every chat tool makes it clickable. What else there is to say stands in the report. */
function lines({ outcome, run, headline, report }: Notification, shown: (text: string) => string): string[] {
  return [
    `${signs[outcome]} h2h3 ${shown(run)}: ${shown(headline.join(' '))}`,
    ...(report === null ? [] : [report]),
  ];
}

function fitting(text: string): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
}

const isAddress = (place: string | null): place is string => place?.startsWith('https://') === true;

type Form = (notification: Notification, text: string) => object;

const forms: Readonly<Record<MessageFormat, Form>> = {
  json: (notification) => notification,
  slack: ({ picture }, text) => ({
    text,
    blocks: [
      { type: 'section', text: { type: 'plain_text', text } },
      ...(isAddress(picture) ? [{ type: 'image', image_url: picture, alt_text: 'the result' }] : []),
    ],
  }),
  mattermost: ({ picture }, text) => ({
    text,
    ...(isAddress(picture) ? { attachments: [{ image_url: picture }] } : {}),
  }),
  // A name in a message by chance notifies no user.
  discord: ({ picture }, text) => ({
    content: text,
    allowed_mentions: { parse: [] },
    ...(isAddress(picture) ? { embeds: [{ image: { url: picture } }] } : {}),
  }),
  teams: ({ picture }, text) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            ...text.split('\n').map((line) => ({ type: 'TextBlock', text: line, wrap: true })),
            ...(isAddress(picture) ? [{ type: 'Image', url: picture }] : []),
          ],
        },
      },
    ],
  }),
};

const chatsOfSlacksForm: readonly MessageFormat[] = ['slack', 'mattermost'];

/** The body of a webhook's request in the form that a chat tool takes. */
export function renderMessage(notification: Notification, format: MessageFormat): string {
  const shown = chatsOfSlacksForm.includes(format) ? chatText : (text: string): string => text;
  return JSON.stringify(forms[format](notification, fitting(lines(notification, shown).join('\n'))));
}
