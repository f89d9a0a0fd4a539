// The notebooks as they are: opened, run, and looked at in the light and in the dark theme.

import path from 'node:path';
import { check, none, note } from './report.mjs';

const LOW = { width: 1280, height: 900 };
// All of a picture is on the page at once, or its picture would be cut off.
const HIGH = { width: 1280, height: 2200 };
const TOO_HIGH = 1000;
const PANIC_BOX = 'data-panic';
const QUESTION_MARK_BOX = 'data-question-mark';

export async function lookAt(lab, folder) {
  const { name, cells, metadata } = lab.notebook;
  const { page } = lab;
  await page.setViewportSize(LOW);
  check(name, 'names a kernel', ['fencing', 'fencing-frames'].includes(metadata.kernelspec?.name));
  none(name, 'opens without a dialog', await lab.popups());
  await lab.runAll();
  const outputs = await lab.outputs();
  for (const cell of cells.filter((cell) => cell.isCode)) {
    judgeOutputs(`${name}, cell '${cell.id}'`, cell, outputs[cell.index]);
  }
  await page.setViewportSize(HIGH);
  for (const theme of ['light', 'dark']) {
    if (theme === 'dark') await lab.theme('Dark');
    for (const cell of cells.filter((cell) => cell.isCode)) {
      await lookAtCell(lab, cell, theme, folder);
    }
  }
  await lab.theme('Light');
  none(name, 'no dialog, no message over the page', await lab.popups());
  none(name, 'no errors on the console', lab.consoleErrors);
  const { cells: shown, kernel, ran } = lab.timings;
  note(`${name}: cells shown after ${shown.toFixed(1)} s, kernel ready after ${kernel.toFixed(1)} s, all cells run in ${ran.toFixed(1)} s`);
}

/** What the kernel said, whatever it looks like. */
function judgeOutputs(where, cell, outputs) {
  const printed = outputs.filter((output) => output.output_type === 'stream').map((output) => [].concat(output.text).join(''));
  const html = outputs.map((output) => [].concat(output.data?.['text/html'] ?? []).join(''));
  if (cell.tags.includes('raises-exception')) return;
  const errors = outputs.filter((output) => output.output_type === 'error');
  none(where, 'no error', errors.map((error) => error.traceback?.join('\n') || error.evalue));
  none(where, 'no panic, no error at a `?`', html.filter((text) => text.includes(PANIC_BOX) || text.includes(QUESTION_MARK_BOX)));
  none(where, 'nothing panicked', printed.filter((text) => text.includes('panicked at')));
  none(where, 'no warnings of the compiler', printed.filter((text) => /^warning(\[\w+\])?:/m.test(text)));
  none(where, 'nothing on standard error', outputs.filter((output) => output.name === 'stderr').map((output) => [].concat(output.text).join('')));
  // On the page JupyterLab has given each image some alt text.
  const images = html.flatMap((text) => text.match(/<img\b[^>]*>/g) ?? []);
  none(where, 'each image has a text for those who do not see it', images.filter((image) => !/\balt="[^"]{20,}"/.test(image)).map((image) => image.slice(0, 100)));
  if (cell.tags.includes('picture')) {
    const texts = outputs.map((output) => [].concat(output.data?.['text/plain'] ?? []).join(''));
    check(where, 'the picture has a text beside it', texts.some((text) => text.trim().length > 10));
  }
}

async function lookAtCell(lab, cell, theme, folder) {
  const where = `${lab.notebook.name}, cell '${cell.id}', ${theme}`;
  const locator = lab.cellAt(cell.index);
  await locator.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await lab.page.waitForTimeout(120);
  const look = (what) => locator.evaluate((element, what) => window.look[what](element), what);
  none(where, 'nothing is wider than the cell', await look('overflow'));
  if (theme === 'light') none(where, 'no line of code is wider than the cell', await look('codeOverflow'));
  none(where, 'no JavaScript error', (await locator.getByText('Javascript Error').allTextContents()));
  // What is folded away is judged too.
  await locator.evaluate((element) => element.querySelectorAll('.jp-OutputArea details').forEach((details) => { details.open = true; }));
  none(where, 'nothing is wider than the cell when all is folded out', await look('overflow'));
  // The colours of the compiler's messages are JupyterLab's.
  for (const output of await locator.locator('.jp-OutputArea-output:not([data-mime-type="application/vnd.jupyter.stderr"])').all()) {
    none(where, 'all text can be read', await output.evaluate((element) => window.look.lowContrast(element)));
  }
  await locator.evaluate((element) => element.querySelectorAll('.jp-OutputArea details').forEach((details) => { details.open = false; }));
  none(where, 'pictures are told to those who do not see them', await look('unnamed'));
  if (cell.tags.includes('picture')) {
    const pictures = await look('pictures');
    const large = pictures.filter(({ width, height }) => width > 100 && height > 50);
    check(where, 'shows a picture or a table', large.length > 0, JSON.stringify(pictures));
    const high = large.filter(({ height }) => height > TOO_HIGH);
    none(where, `no picture is higher than ${TOO_HIGH} px`, high.map((picture) => JSON.stringify(picture)));
    await lookAtDiagrams(where, lab, locator);
    if (theme === 'light') await lookIntoImages(where, lab, locator);
    await lab.page.mouse.move(0, 0);
    await locator.screenshot({ path: path.join(folder, `${lab.notebook.name}-${cell.id}-${theme}.png`) });
  }
}

async function lookAtDiagrams(where, lab, locator) {
  // An explorer has the pictures of all its states, of which one is seen.
  for (const svg of await locator.locator('.jp-OutputArea-output svg').filter({ visible: true }).all()) {
    none(where, 'words have room', await svg.evaluate((element) => window.look.textFaults(element)));
    none(where, 'tips can be read', await svg.evaluate((element) => window.look.tipFaults(element)));
    const events = svg.locator('.fz-event');
    if ((await events.count()) === 0) continue;
    await pointAt(where, lab, events);
  }
}

/** With the mouse and with the tab key, as a reader does. */
async function pointAt(where, lab, events) {
  const shows = (event) => event.locator('.fz-tip').evaluate((tip) => getComputedStyle(tip).visibility === 'visible');
  const first = events.first();
  check(where, 'shows no tip unasked', !(await shows(first)));
  await first.locator('.fz-hit').hover({ force: true });
  check(where, 'shows a tip under the mouse', await shows(first));
  await lab.page.mouse.move(0, 0);
  await first.focus();
  if ((await events.count()) > 1) {
    await lab.page.keyboard.press('Tab');
    check(where, 'shows the next tip on Tab', await shows(events.nth(1)));
  }
  await lab.page.evaluate(() => document.activeElement?.blur());
}

/** A still picture is a page of its own: it is judged as one, on the ground that it brings. */
async function lookIntoImages(where, lab, locator) {
  const sources = await locator.locator('.jp-OutputArea-output img').evaluateAll((images) => images.map((image) => image.src));
  for (const source of sources.filter((source) => source.startsWith('data:image/svg+xml;base64,'))) {
    const svg = Buffer.from(source.split(',')[1], 'base64').toString('utf8');
    const page = await lab.context.newPage();
    try {
      await page.setViewportSize(HIGH);
      // On black, so that a ground that is missing is noticed.
      await page.setContent(`<body style="margin:0;background:#111">${svg}</body>`);
      const element = page.locator('svg');
      none(where, 'words have room', await element.evaluate((element) => window.look.textFaults(element)));
      none(where, 'all text in the image can be read', await element.evaluate((element) => window.look.lowContrast(element)));
    } finally {
      await page.close();
    }
  }
}
