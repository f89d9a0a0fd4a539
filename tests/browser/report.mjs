// Counts what was looked at, and says at once what is wrong.

import { writeFileSync } from 'node:fs';

let passed = 0;
let failed = 0;

/** One check; `detail` is told if it fails. */
export function check(where, what, isGood, detail = '') {
  if (isGood) {
    passed += 1;
    return;
  }
  failed += 1;
  console.log(`FAILED  ${where}: ${what}${detail ? `\n        ${String(detail).replaceAll('\n', '\n        ')}` : ''}`);
}

/** One check of a list that should be empty. */
export function none(where, what, faults) {
  check(where, what, faults.length === 0, faults.slice(0, 12).concat(faults.length > 12 ? [`… ${faults.length} in all`] : []).join('\n'));
}

/** Something that is no check, to be read. */
export function note(text) {
  console.log(text);
}

/** Writes how many passed and how many failed, for `run`; the exit status. */
export function finish(file) {
  writeFileSync(file, `${passed} ${failed}\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
