import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { calibrationSchema, type CalibrationDocument } from '../core/model/calibration.ts';
import { H2h3Error, messageOf } from '../core/model/errors.ts';
import { machineClassFileName } from '../core/model/machine-class.ts';
import { readInput } from '../core/system/read-input.ts';
import { writeWhole } from '../core/system/write-whole.ts';
import { makeFolder } from '../core/system/storage-error.ts';

function fileOf(resultsDir: string, machineClass: string): string {
  return join(resultsDir, 'calibration', `${machineClassFileName(machineClass)}.json`);
}

/** Keeps the calibration of a class of machines; returns its file. @throws H2h3Error `storage` */
export function saveCalibration(resultsDir: string, calibration: CalibrationDocument): string {
  const file = fileOf(resultsDir, calibration.machineClass);
  makeFolder(join(resultsDir, 'calibration'));
  writeWhole(file, `${JSON.stringify(calibration, null, 1)}\n`);
  return file;
}

/** The calibration of this class of machines, or null where none was made. @throws H2h3Error `bad-input` for a damaged file */
export function loadCalibration(resultsDir: string, machineClass: string): CalibrationDocument | null {
  const file = fileOf(resultsDir, machineClass);
  if (!existsSync(file)) return null;
  try {
    return calibrationSchema.parse(JSON.parse(readInput(file).toString()));
  } catch (thrown) {
    throw new H2h3Error('bad-input', `${file} is no calibration: ${messageOf(thrown)}`, {
      cause: thrown,
      context: { file },
      next: 'Delete it and make it anew with `npx h2h3 calibrate`.',
    });
  }
}
