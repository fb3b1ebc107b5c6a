import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AskedQuestion } from '../../core/model/question.ts';
import type { Experiment } from '../../core/model/studies.ts';
import { parsePlanDocument, type PlanDocument } from '../../plan/parse-plan-file.ts';

/** A plan that ships with the project: the file of its name in this folder, in the form of a user's own. */
export interface Preset extends PlanDocument {
  readonly id: string;
  readonly title: string;
}

/** Every preset; those of the studies in the order of their experiments. A new one is one file and one line here. */
export const presetIds: readonly string[] = [
  'video',
  'video-wifi',
  'video-fast',
  'web',
  'web-loopback',
  'download',
  'upload',
  'both-ways',
  'all',
  'gate',
  'gate-players',
  'gate-timers',
  'nightly',
  'known-effect-loss',
  'known-effect-fast',
  'known-effect-senders',
  'zhang2024-clients',
  'zhang2024-sweep',
  'zhang2024-browsers',
  'zhang2024-cpu',
  'zhang2024-video',
  'zhang2024-web',
  'zhang2024-factors',
  'zhang2024-packets',
  'zhang2024-kernel',
  'zhang2024-parallel',
  'zhang2024-mobile',
  'liu2025-single',
  'liu2025-multi',
  'liu2025-migration',
  'liu2025-pages',
  'liu2025-proxy',
  'kakhki2017-pages',
  'kakhki2017-grid',
  'kakhki2017-fairness',
  'kakhki2017-states',
  'kakhki2017-video',
  'shreedhar2022-connect',
  'shreedhar2022-files',
  'shreedhar2022-video',
  'mucke2024-handshake',
  'kempf2024-pq',
  'chrome2024-coalescing',
  'herbots2024-priorities',
  'lazyeye2025-racing',
  'mozilla2026-network',
  'versions',
  'fallback',
  'discovery',
  'messages',
  'live-ll-dash-against-moq',
  'queues',
  'outage',
  'burst',
  'starlink',
  'finding-burst-stacks',
  'finding-servers',
  'finding-clients',
  'finding-server-cost',
  'finding-players',
  'finding-video-window',
  'finding-video-players',
  'finding-video-sound',
  'finding-https-records',
  'finding-builds',
  'finding-first-flight',
  'finding-page-servers',
  'finding-bench-link',
  'finding-instrument',
  'question-nginx-window',
  'question-nginx-buffer',
  'question-nginx-ack-delay',
  'question-nginx-stalls',
  'question-haproxy-large',
  'question-quiche-latency',
  'question-quiche-upload',
  'question-curl-upload',
  'question-firefox-upload',
  'question-dash-versions',
  'question-quic-go-bbr',
  'question-quicly-transports',
  'question-neqo-grid',
  'question-kestrel-h3',
];

/** Path of the plan file of a preset, to be read, cited and copied. */
export function presetFile(id: string): string {
  return fileURLToPath(new URL(`${id}.yaml`, import.meta.url));
}

const read = new Map<string, Preset>();

export function presetNamed(id: string | undefined): Preset | undefined {
  if (id === undefined || !presetIds.includes(id)) return undefined;
  const known = read.get(id);
  if (known !== undefined) return known;
  const file = presetFile(id);
  const document = parsePlanDocument(readFileSync(file, 'utf8'), file);
  const preset = { ...document, id, title: document.plan.title ?? id };
  read.set(id, preset);
  return preset;
}

export function allPresets(): readonly Preset[] {
  return presetIds.flatMap((id) => presetNamed(id) ?? []);
}

/** The experiments of the studies, in their order. */
export function experiments(): readonly Experiment[] {
  return allPresets().flatMap(({ id, experiment }) => (experiment ? [{ ...experiment, preset: id }] : []));
}

const questionPrefix = 'question-';

/** A preset of a question by the question's own name, as `--only` has it. */
export const questionPreset = (id: string): string => `${questionPrefix}${id}`;

/** The questions that were asked in public, in their order. */
export function askedQuestions(): readonly AskedQuestion[] {
  return allPresets().flatMap(({ id, question }) =>
    question ? [{ ...question, id: id.slice(questionPrefix.length), preset: id }] : [],
  );
}
