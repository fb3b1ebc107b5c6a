import type { Finding } from '../../core/model/finding.ts';

/** A new one is an entry here, and a preset of its name. */
const registered: readonly (Omit<Finding, 'preset' | 'shows' | 'changesIn'> & Partial<Finding>)[] = [
  {
    id: 'first-flight',
    title: 'What is left of HTTP/3’s gain when both begin alike',
    question:
      'How much sooner do pages load over HTTP/3, as deployed and when TCP begins with 32 packets too?',
  },
  {
    id: 'page-servers',
    title: 'The same pages from four servers',
    question: 'How much does the answer about HTTP/3 depend on the server that sends the pages?',
  },
  {
    id: 'servers',
    title: 'Servers under loss',
    question: 'What did the newer congestion control of nginx change for HTTP/3 when packets are lost?',
  },
  {
    id: 'burst',
    preset: 'burst',
    title: 'After a burst of loss',
    question: '30 % of the packets are lost for 2 s: how soon is each server back at its rate?',
  },
  {
    id: 'burst-stacks',
    title: 'After a burst of loss: other stacks',
    question:
      '30 % of the packets are lost for 2 s: how soon are ngtcp2, with CUBIC and BBR, and tquic back at their rate over HTTP/3?',
  },
  {
    id: 'outage',
    preset: 'outage',
    title: 'After two seconds without a link',
    question: 'The link is dead for 2 s: how soon do a page and a download go on?',
  },
  {
    id: 'uploads',
    preset: 'upload',
    title: 'Uploads over 4G',
    question: 'Are files of 1 and 10 MB, and a photo in a form, uploaded as fast over HTTP/3 as over HTTP/2?',
  },
  {
    id: 'both-ways',
    preset: 'both-ways',
    title: 'An upload next to a download',
    question:
      'Another client of the line downloads all the time: does an upload take as long over HTTP/3 as over HTTP/2?',
  },
  {
    id: 'clients',
    title: 'Clients at 1 Gbit/s',
    question: 'Which clients get less throughput over HTTP/3 on a fast network?',
  },
  {
    id: 'server-cost',
    preset: 'finding-server-cost',
    title: 'What a server pays',
    question: 'How much more CPU time does a server use for the same file over HTTP/3?',
    shows: 'comparisons',
  },
  {
    id: 'players',
    title: 'Players on 4G',
    question: 'Do hls.js and Shaka Player choose lower bitrates than dash.js over the same network?',
  },
  {
    id: 'video-window',
    title: 'The start of a film and the first flight',
    question:
      'How much sooner does a film start over HTTP/3, as deployed and when TCP begins with 32 packets too?',
  },
  {
    id: 'video-players',
    title: 'Three players behind one link',
    question: 'Do three players share a slow link as evenly over HTTP/3 as over HTTP/2?',
  },
  {
    id: 'video-sound',
    title: 'Sound and pictures on one connection',
    question:
      'Packets are lost: does a film gain more over HTTP/3 when its sound shares the connection of its pictures?',
  },
  {
    id: 'https-records',
    title: 'HTTPS records where UDP is blocked',
    question:
      'An HTTPS record promises HTTP/3 and UDP is blocked: do pages load sooner in Firefox with `network.http.happy_eyeballs_enabled`?',
  },
  {
    id: 'builds',
    title: 'Builds of one browser',
    question:
      'How much do headless shell, Debian’s build and Chrome for Testing differ, and what do Chrome’s field trials change?',
  },
  {
    id: 'bench-link',
    title: 'What the link of Mozilla’s bench adds',
    question:
      'Mozilla’s bench gives its queue in bytes where netem takes packets, and sends both directions through one class: by how many Mbit/s does each shift a result?',
    changesIn: 'unit',
  },
  {
    id: 'instrument',
    title: 'The cost of recording',
    question: 'How much slower are pages while h2h3 records them?',
    shows: 'recording',
  },
];

/** The standing comparisons, in the order of the page. */
export const findings: readonly Finding[] = registered.map((finding) => ({
  preset: `finding-${finding.id}`,
  shows: 'comparisons',
  changesIn: 'form',
  ...finding,
}));
