// What a curious reader does to notebook 02: changes cells, makes mistakes, stops and restarts.

import path from 'node:path';
import { check, none, note } from './report.mjs';
import { seconds } from './jupyterlab.mjs';

const PANIC_BOX = '[data-panic]';
const QUESTION_MARK_BOX = '[data-question-mark]';
const RESTART_LIMIT = 60_000;
/** Prints only what an earlier cell kept in a variable. */
const USES_VARIABLES = 'leases';

export async function tryOut(lab, folder) {
  await lab.page.setViewportSize({ width: 1280, height: 1400 });
  await lab.runAll();
  const steps = { otherSeed, lineOfTheProse, completion, badValue, compileError, panic, endlessLoop, restart };
  for (const [name, step] of Object.entries(steps)) {
    const where = `${lab.notebook.name} changed, ${name}`;
    const start = Date.now();
    // A picture of the cell that the reader looks at.
    const keep = (what) => lab.cell('try').screenshot({ path: path.join(folder, `changed-${what}.png`) });
    try {
      await step(lab, where, keep);
    } catch (error) {
      check(where, 'goes through', false, error.message);
      await lab.page.keyboard.press('Escape').catch(() => {});
      await lab.untilIdle(RESTART_LIMIT).catch(() => {});
      await lab.page.screenshot({ path: path.join(folder, `changed-${name}-trouble.png`) });
    }
    note(`${where}: ${seconds(start).toFixed(1)} s`);
  }
}

function changed(lab, id, from, to) {
  const source = lab.source(id);
  if (!source.includes(from)) throw new Error(`cell '${id}' has no '${from}' any more`);
  return source.replace(from, to);
}

async function otherSeed(lab, where) {
  const before = await lab.shown('often');
  const after = await lab.run('often', changed(lab, 'often', 'Seed(1)', 'Seed(2)'));
  check(where, 'the output changes', after !== before && /seed 2\b/.test(after), after.slice(0, 200));
  const again = await lab.run('often', lab.source('often'));
  check(where, 'the same seed gives the same output', again === before, again.slice(0, 200));
  const picture = await lab.run('one', changed(lab, 'one', 'Seed(3)', 'Seed(4)'));
  check(where, 'another seed, another incident', /zombie/i.test(picture), picture.slice(0, 200));
  await lab.write('one', lab.source('one'));
}

/** Each change that the notebook itself proposes for the cell to try. */
async function lineOfTheProse(lab, where) {
  const lines = [...lab.source('try-intro').matchAll(/^- `([^`]+)`/gm)].map((match) => match[1]);
  const check_tokens = /write `([^`]+,)`/.exec(lab.source('end'));
  if (check_tokens) lines.push(check_tokens[1].replace(/,$/, ''));
  check(where, 'proposes changes', lines.length >= 4, lines.join('\n'));
  for (const line of lines) {
    const isLease = line.startsWith('lease:');
    const from = isLease ? 'lease: secs(10)' : 'lease: secs(10),';
    const after = await lab.run('try', changed(lab, 'try', from, isLease ? line : `lease: secs(10), ${line},`));
    check(where, `\`${line}\` gives an outcome`, after.includes('zombie writes'), after.slice(0, 400));
    note(`    ${line}: ${/zombie writes([\d,]+?)(?:0\.\d+)?lost updates/.exec(after)?.[1] ?? '?'} zombie writes`);
  }
}

async function completion(lab, where) {
  await lab.write('try', 'Scenario::base');
  await lab.page.keyboard.press('Tab');
  const item = lab.page.locator('.jp-Completer-item', { hasText: 'baseline' }).first();
  const inserted = lab.page.waitForFunction(() => [...document.querySelectorAll('.cm-content')].some((cell) => cell.textContent.trim() === 'Scenario::baseline'));
  inserted.catch(() => {});
  // With a single way to go on, it is written at once.
  await Promise.any([item.waitFor({ timeout: 8000 }), inserted]);
  check(where, 'Tab completes a name', true);
  await lab.page.keyboard.press('Escape');
  await lab.write('try', 'Scenario::baseline');
  await lab.page.keyboard.press('Shift+Tab');
  const tooltip = lab.page.locator('.jp-Tooltip');
  await tooltip.waitFor({ timeout: 8000 });
  check(where, 'Shift+Tab says what it is', (await tooltip.textContent()).trim().length > 10);
  await lab.page.keyboard.press('Escape');
}

async function badValue(lab, where, keep) {
  const after = await lab.run('try', changed(lab, 'try', 'secs(10)', 'secs(0)'));
  const cell = lab.cell('try');
  const sentence = (await cell.locator(QUESTION_MARK_BOX).allTextContents()).join(' ');
  check(where, 'one sentence says what to change', /lease/.test(sentence) && sentence.length < 250, after);
  await keep('bad-value');
  check(where, 'no picture is left over', (await cell.locator('.jp-OutputArea table').count()) === 0);
  note(`    it says: ${after.replace(/\s+/g, ' ').trim()}`);
  // A mistake further up: what comes after it runs all the same.
  await lab.write('try', lab.source('try'));
  await lab.run('one', changed(lab, 'one', 'Stop::at_grants(300)', 'Stop::at_grants(300), lease: secs(0)'));
  await lab.cell('one').locator('.cm-content').click();
  await lab.choose('Run', 'Run Selected Cell and All Below');
  await lab.untilIdle();
  const box = await lab.cell('one').locator(QUESTION_MARK_BOX).count();
  check(where, 'a mistake further up shows its sentence there', box === 1, await lab.shown('one'));
  const later = await lab.shown('try');
  check(where, 'later cells still run', later.includes('zombie writes'), later.slice(0, 400));
  await lab.run('one', lab.source('one'));
}

async function compileError(lab, where, keep) {
  const after = await lab.run('try', changed(lab, 'try', '};', ';'));
  await keep('mismatched-bracket');
  const outputs = (await lab.outputs())[lab.indexOf('try')];
  check(where, 'shows an error', outputs.some((output) => output.output_type === 'error'), after.slice(0, 400));
  note(`    it says: ${after.replace(/\s+/g, ' ').trim().slice(0, 300)}`);
  await lab.run('try', changed(lab, 'try', 'Seed(1)', 'Sed(1)'));
  await keep('unknown-name');
  const unknown = (await lab.outputs())[lab.indexOf('try')];
  check(where, 'an unknown name is an error that names it', JSON.stringify(unknown).includes('Sed'), JSON.stringify(unknown).slice(0, 400));
  await keepsVariables(lab, where);
}

async function panic(lab, where, keep) {
  const after = await lab.run('try', 'panic!("oops")');
  const cell = lab.cell('try');
  await keep('panic');
  check(where, 'shows its box in its own cell', (await cell.locator(PANIC_BOX).count()) === 1 && after.includes('oops'), after);
  check(where, 'shows no backtrace', !/panicked at|backtrace|stack/i.test(after), after.slice(0, 400));
  check(where, 'shows a box nowhere else', (await lab.page.locator(`.jp-NotebookPanel ${PANIC_BOX}`).count()) === 1);
  await keepsVariables(lab, where);
}

async function endlessLoop(lab, where, keep) {
  await lab.write('try', 'loop { std::thread::sleep(millis(10)); }');
  await lab.page.keyboard.press('Control+Enter');
  await lab.untilBusy();
  await lab.page.waitForTimeout(1500);
  const start = Date.now();
  await lab.page.locator('.jp-NotebookPanel:not(.lm-mod-hidden) [data-jp-item-name="interrupt"]').click();
  await lab.untilIdle();
  await keep('interrupted');
  check(where, 'the stop button ends it', seconds(start) < 10, `${seconds(start)} s`);
  note(`    it says: ${(await lab.shown('try')).replace(/\s+/g, ' ').trim().slice(0, 300)}`);
  const lost = await lab.run(USES_VARIABLES);
  note(`    and a cell that needs a variable: ${lost.replace(/\s+/g, ' ').trim().slice(0, 300)}`);
  await lab.cell('try').locator('.cm-content').click();
  await lab.choose('Run', 'Run All Above Selected Cell');
  await lab.untilIdle();
  await keepsVariables(lab, where);
  const after = await lab.run('try', lab.source('try'));
  check(where, 'the cell works again', after.includes('zombie writes'), after.slice(0, 400));
  await lab.run('try', 'panic!("oops")');
  check(where, 'a panic still shows its box', (await lab.cell('try').locator(PANIC_BOX).count()) === 1);
  await lab.write('try', lab.source('try'));
}

async function restart(lab, where) {
  const start = Date.now();
  await lab.choose('Kernel', 'Restart Kernel and Run All Cells…');
  await lab.page.locator('.jp-Dialog .jp-mod-warn').click();
  await lab.page.waitForTimeout(1000);
  await lab.untilIdle(RESTART_LIMIT);
  note(`    restarted and run in ${seconds(start).toFixed(1)} s`);
  const outputs = await lab.outputs();
  const faults = outputs.flat().filter((output) => output.output_type === 'error'
    || JSON.stringify(output.data ?? {}).match(/data-panic|data-question-mark/));
  none(where, 'everything is well again', faults.map((fault) => JSON.stringify(fault).slice(0, 300)));
  check(where, 'the last cell has run', (await lab.shown('try')).includes('zombie writes'));
}

async function keepsVariables(lab, where) {
  const after = await lab.run(USES_VARIABLES);
  check(where, 'variables are still there', /token 33 begins/.test(after), after.slice(0, 400));
}
