// Explorers on a plain page: without a kernel and without scripts, as in an export.
//
// The page is that of `cargo run --example explorer`. What is seen in a state is held against the
// row of that state in the page's own table.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, none } from './report.mjs';

const WHERE = 'explorer';
const IN_PAGE = fileURLToPath(new URL('in_page.js', import.meta.url));

export async function lookAtExplorers(browser, file, folder) {
  const html = await readFile(file, 'utf8');
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1100, height: 1300 } });
  try {
    const page = await context.newPage();
    await page.setContent(html);
    const [usual, other] = await page.locator('.fencing-explorer').all();
    const untouched = await shown(other);
    check(WHERE, 'first shows the incident', (await shown(usual)).counts.join() === '2,1,2,0,1,1');
    const height = await boxHeight(usual);
    for (const explorer of [usual, other]) await tryAll(explorer, explorer === usual ? 'usual' : 'own');
    check(WHERE, 'no state is higher than another', height === await boxHeight(usual));
    await choose(other, untouched.settings);
    await tryKeys(page, usual);
    check(WHERE, 'one explorer does not move the other', same(await shown(other), untouched));
    for (const theme of ['light', 'dark']) await look(page, usual, theme, folder);
  } finally {
    await context.close();
  }
}

/** Chooses every state in turn. */
async function tryAll(explorer, name) {
  const rows = await table(explorer);
  const groups = await explorer.locator('fieldset').count();
  check(WHERE, `${name}: the table has every state`, rows.length === (await states(explorer)));
  for (const row of rows) {
    const settings = row.slice(0, groups);
    await choose(explorer, settings);
    const { counts, pictures, tellings, alarms, verdict } = await shown(explorer);
    const where = `${WHERE}, ${name}: ${settings.join(', ')}`;
    check(where, 'counts what its run does', counts.join() === row.slice(groups).join(), counts.join());
    check(where, 'shows one picture and one telling', pictures === 1 && tellings === 1, `${pictures} and ${tellings}`);
    const zombies = Number(counts[4]);
    check(where, 'the picture shows each zombie write', alarms === zombies, `${alarms} of ${zombies}`);
    check(where, 'the sentence says so', /accepts .*zombie write/.test(verdict) === zombies > 0, verdict);
  }
}

async function choose(explorer, settings) {
  const { settings: before } = await shown(explorer);
  for (const [group, setting] of settings.entries()) {
    if (before[group] === setting) continue;
    const labels = explorer.locator('fieldset').nth(group).locator('label');
    await labels.filter({ hasText: new RegExp(`^${setting.replaceAll('.', '\\.')}$`) }).click();
  }
}

/** With the tab key from control to control, and with the arrows within one. */
async function tryKeys(page, explorer) {
  const [lease, , check_] = await explorer.locator('fieldset').all();
  await choose(explorer, ['10 s', 'off', 'never', '11 s']);
  await lease.locator('input:checked').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const chosen = await check_.locator('label:has(:checked)').textContent();
  check(WHERE, 'the arrow keys choose', chosen === 'on write', chosen);
  check(WHERE, 'and what is seen follows', (await shown(explorer)).counts.join() === '2,1,1,1,0,0');
  const outline = await check_.locator('input:focus-visible + span').evaluate((span) => getComputedStyle(span).outlineStyle);
  check(WHERE, 'the focus can be seen', outline === 'solid', outline);
}

async function look(page, explorer, theme, folder) {
  await page.evaluate(await readFile(IN_PAGE, 'utf8'));
  await page.locator('body').evaluate((body, theme) => {
    body.dataset.jpThemeLight = String(theme === 'light');
    body.style.cssText = theme === 'light' ? 'margin:16px;background:#fff;color:#222' : 'margin:16px;background:#111;color:#eee;--jp-layout-color0:#111';
  }, theme);
  for (const width of [1100, 700]) {
    await page.setViewportSize({ width, height: 1300 });
    const where = `${WHERE}, ${theme}, ${width} px`;
    const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    check(where, 'nothing is wider than the page', wide <= 0, `${wide} px too wide`);
    none(where, 'all text can be read', await explorer.evaluate((root) => window.look.lowContrast(root)));
    const picture = explorer.locator('.fx-stage svg').filter({ visible: true });
    none(where, 'words have room', await picture.evaluate((svg) => window.look.textFaults(svg)));
    none(where, 'tips can be read', await picture.evaluate((svg) => window.look.tipFaults(svg)));
    await explorer.screenshot({ path: path.join(folder, `explorer-${theme}-${width}.png`) });
  }
}

/** What a reader sees. */
function shown(explorer) {
  return explorer.evaluate((root) => {
    const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
    const seen = (selector) => [...root.querySelectorAll(selector)].filter(isSeen);
    const texts = (selector) => seen(selector).map((element) => element.textContent);
    // Whatever is folded away is there when it is folded out.
    const isThere = (element) => getComputedStyle(element).display !== 'none';
    return {
      verdict: texts('.fx-counts p').join(),
      counts: texts('.fx-counts dd'),
      pictures: seen('.fx-stage svg').length,
      alarms: seen('.fx-stage [data-mark=zombie]').length,
      tellings: [...root.querySelectorAll('details > .fx-state')].filter(isThere).length,
      settings: texts('label:has(:checked)'),
    };
  });
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The cells of the table of all states. */
function table(explorer) {
  return explorer.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
}

/** How many states the controls make. */
async function states(explorer) {
  const counts = await explorer.locator('fieldset').evaluateAll((groups) => groups.map((group) => group.querySelectorAll('input').length));
  return counts.reduce((product, count) => product * count, 1);
}

async function boxHeight(explorer) {
  return Math.round((await explorer.boundingBox()).height);
}
