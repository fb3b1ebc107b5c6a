import type { Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { chatText } from '../format/chat-text.ts';
import { topSentence } from '../format/top-sentence.ts';

/**
 * A message for a chat's incoming webhook, as Slack, Mattermost and Rocket.Chat take it: one line and, where the folder can be
 * read at `folder` (an address that ends in a slash), a link to the report and the picture. What else there is to say stands in
 * the report.
 */
export function renderChat(
  summary: Summary,
  { folder, picture }: { readonly folder?: string; readonly picture?: string } = {},
): string {
  checkSummary(summary);
  const top = chatText(topSentence(summary));
  const text = [top, ...(folder === undefined ? [] : [`${folder}report.html`])].join('\n');
  const pictures =
    folder === undefined || picture === undefined
      ? []
      : [{ fallback: top, image_url: `${folder}${picture}` }];
  return `${JSON.stringify({ text, ...(pictures.length === 0 ? {} : { attachments: pictures }) }, null, 1)}\n`;
}
