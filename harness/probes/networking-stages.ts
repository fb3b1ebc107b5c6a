import type { NetworkingStage } from '../../src/core/model/networking-stages.ts';
import { isAddress, type PerfStack } from './perf-report.ts';

/** A rule by the name of a frame, the first that fits from the innermost frame outwards decides. */
const frameRules: readonly (readonly [NetworkingStage, RegExp])[] = [
  [
    'decryption',
    /\baes|gcm|chacha|poly1305|decrypt|\bunprotect|headerprotect|\baead\b|ring_core|aws_lc|crypto\/(tls|cipher)/i,
  ],
  // What a receiver sends is acknowledgements and windows; a TCP stack sends them by itself.
  [
    'acknowledgements',
    /^(udp|udpv6|tcp|sock|unix)_sendmsg|^_{2,4}sys_send|^tcp_(send_ack|__send_ack)|^__tcp_ack_snd_check|^tcp_cleanup_rbuf/,
  ],
  [
    'acknowledgements',
    /ackhandler|\backframe|appendackframe|queueack|\(\*Conn\)\.(sendPackets|triggerSending)|packetpacker|sendqueue|::(send|send_single|send_on_path|flush)$|ranges::RangeSet/i,
  ],
  [
    'socketRead',
    /^(udp|udpv6|tcp|sock|unix)_(recvmsg|read_iter)|^_{2,4}sys_recv|^do_recvmmsg|recv_from|readpacket|readmsg|readbatch/i,
  ],
  [
    'packetProcessing',
    /^(net_rx_action|__?napi_poll|process_backlog|__netif_receive_skb\w*|napi_\w+|tcp_v[46]_rcv|udp_rcv|udpv6_rcv|gro_\w+)/,
  ],
  [
    'framing',
    /http[23]|\bh[23]::|nghttp[23]|[hq]pack|\bwire\.|frame(r|parser|sorter)?\b|streams?(map|frame|manager)?\b|recv_buf/i,
  ],
  [
    'packetProcessing',
    /unpack|handle(one)?packets?|handlelongheader|handleshortheader|\bpacket|recv_single|::recv$|ngtcp2_conn/i,
  ],
];

/** Libraries whose inner functions have no names of their own; what a library is for is known all the same. */
const libraryRules: readonly (readonly [NetworkingStage, RegExp])[] = [
  ['decryption', /^lib(crypto|nettle|hogweed|gnutls|ngtcp2_crypto\w*|mbedcrypto|nss3|freebl\w*|softokn3)\b/],
  ['framing', /^libnghttp[23]\b/],
  ['packetProcessing', /^libngtcp2\b/],
];

/** How the kernel is entered says nothing of what it is asked for. */
const entryPattern = /^(entry_|asm_|do_syscall_)/;

const isKernel = (file: string): boolean => file.startsWith('[');
const isUnnamed = (frame: string): boolean => isAddress(frame) || frame === '[unknown]';

/**
 * What one sample of a receiver was spent on. Code without names cannot be told apart, and is not guessed: in a program whose
 * symbols were stripped only what the kernel does for it has names.
 */
export function networkingStageOf({ frames, file }: PerfStack): NetworkingStage {
  if (!isKernel(file)) {
    const library = libraryRules.find(([, pattern]) => pattern.test(file));
    if (library !== undefined) return library[0];
    // The nearest name that a stripped library exports is not the function that ran.
    if (isUnnamed(frames.at(-1) ?? '') || /\.so\b/.test(file))
      return stageByFrames(frames.slice(0, -1)) ?? 'notSeparable';
  }
  return stageByFrames(frames) ?? 'rest';
}

function stageByFrames(frames: readonly string[]): NetworkingStage | undefined {
  for (const frame of frames.toReversed()) {
    const rule =
      isUnnamed(frame) || entryPattern.test(frame)
        ? undefined
        : frameRules.find(([, pattern]) => pattern.test(frame));
    if (rule !== undefined) return rule[0];
  }
  return undefined;
}
