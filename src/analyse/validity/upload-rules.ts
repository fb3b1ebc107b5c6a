import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { arrivedWords } from '../../core/model/sink-line.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
import { failed, invalid, type Finding } from './finding.ts';

type Upload = PreparedWorkload['upload'];

/** What came to the sink behind the server must be what was to be uploaded: once, every byte, by count and SHA-256. */
export function uploadFindings(
  arm: ArmProtocol,
  { session, arrived, linkFlows }: Pick<RawTrial, 'session' | 'arrived' | 'linkFlows'>,
  wanted: Upload,
): readonly Finding[] {
  if (session?.kind !== 'upload' || wanted === undefined) return [];
  if (session.uploads.length === 0 && session.errors.length > 0) return [];
  if (arrived === undefined)
    return [invalid('no-evidence', 'the sink behind the server left no account of the upload')];
  const own = arrived.filter(({ host, path }) => host === wanted.host && path === wanted.path);
  const [first] = own;
  if (first === undefined || own.length > 1)
    return [
      invalid('upload-differs', `${own.length} uploads came to the sink behind the server, expected 1`),
    ];
  const sentBytes = session.uploads.reduce((sum, upload) => sum + upload.sentBytes, 0);
  if (first.end !== 'whole') return [failed('upload-differs', arrivedWords([first], wanted))];
  return [
    ...carriedFindings(arm, linkFlows, wanted.bytes),
    ...(first.bytes === wanted.bytes ? [] : [invalid('upload-differs', arrivedWords([first], wanted))]),
    ...(sentBytes === wanted.bytes
      ? []
      : [
          invalid(
            'upload-differs',
            `the client says that it sent ${sentBytes} bytes, expected ${wanted.bytes}`,
          ),
        ]),
    ...(first.sha256 === wanted.sha256
      ? []
      : [
          invalid(
            'upload-differs',
            `the SHA-256 of what came is ${first.sha256 ?? 'not known'}, expected ${wanted.sha256}`,
          ),
        ]),
  ];
}

/** Where the link counts each flow, those of the arm's transport must have taken the whole body up. */
function carriedFindings(
  arm: ArmProtocol,
  flows: RawTrial['linkFlows'],
  wantedBytes: number,
): readonly Finding[] {
  if (arm === 'auto' || flows === undefined) return [];
  const wanted = arm === 'h3' ? 'udp' : 'tcp';
  const own = flows.filter(({ transport }) => transport === wanted);
  const upBytes = own.reduce((sum, flow) => sum + flow.upBytes, 0);
  if (upBytes >= wantedBytes) return [];
  const said = `${upBytes} bytes went up over ${wanted.toUpperCase()}`;
  return [invalid('other-transport', `${said}, and the body has ${wantedBytes}`)];
}

/** Of an upload that failed it is said how far it came. */
export function withArrived(
  finding: Finding,
  { arrived }: Pick<RawTrial, 'arrived'>,
  wanted: Upload,
): Finding {
  if (wanted === undefined || arrived === undefined || finding.status !== 'failed') return finding;
  return { ...finding, reason: `${finding.reason}; ${arrivedWords(arrived, wanted)}` };
}
