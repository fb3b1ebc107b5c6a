import type { Summary } from '../../src/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { chatCode, chatText } from '../format/chat-text.ts';
import { comparedArms } from '../format/labels.ts';
import { minutesText } from '../format/numbers.ts';
import { typed } from '../format/rerun-command.ts';
import { inOrderOfWeight, topSentence } from '../format/top-sentence.ts';

/** Answers told in a message; the others stand in the report. */
const mostAnswers = 3;

/**
 * A message for a chat's incoming webhook, as Slack, Mattermost and Rocket.Chat take it: the answer, what to do, and, where
 * the folder can be read at `folder` (an address that ends in a slash), the picture and a link to the report.
 */
export function renderChat(
  summary: Summary,
  { folder, picture }: { readonly folder?: string; readonly picture?: string } = {},
): string {
  checkSummary(summary);
  const arms = comparedArms(summary);
  const top = topSentence(summary);
  const lines = inOrderOfWeight(summary.answers)
    .slice(0, mostAnswers)
    .map(({ sentence, advice, command, minutes }) => {
      const took = minutesText(minutes);
      const next = command === null ? '' : ` ${chatCode(typed(command))}${took && ` (${took})`}`;
      return `${sentence === top ? '' : `${chatText(sentence)} `}*${chatText(advice)}*${next}`;
    });
  const title = chatText(`${arms.candidate} against ${arms.baseline}`);
  const attachment = {
    fallback: chatText(top),
    title,
    ...(folder === undefined ? {} : { title_link: `${folder}report.html` }),
    text: lines.join('\n'),
    mrkdwn_in: ['text'],
    ...(folder === undefined || picture === undefined ? {} : { image_url: `${folder}${picture}` }),
  };
  return `${JSON.stringify({ text: chatText(top), attachments: [attachment] }, null, 1)}\n`;
}
