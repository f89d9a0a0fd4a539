// The book that `cargo lab book` made, as its readers have it: from the disk, without a network.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, none, note } from './report.mjs';

const SIZES = [{ width: 1100, height: 900 }, { width: 400, height: 800 }];
const THEMES = ['light', 'dark'];
// Of these there are pictures; of the others only findings.
const WITH_PICTURES = /^(index|\d+_[a-z_]+|solved.*)\.html$/;

/** Everything that is wrong with what a page shows, as it stands. */
function faultsOfThePage() {
  const faults = [];
  const wider = document.documentElement.scrollWidth - window.innerWidth;
  if (wider > 0) faults.push(`the page is ${wider} pixels wider than the window`);
  for (const image of document.images) {
    if (!image.complete || image.naturalWidth === 0) faults.push(`an image is broken: ${image.alt.slice(0, 60)}`);
    if (!image.alt) faults.push('an image has no text for those who do not see it');
  }
  for (const formula of document.querySelectorAll('math')) {
    if (formula.checkVisibility() && formula.getBoundingClientRect().width === 0) faults.push(`a formula is not drawn: ${formula.textContent}`);
  }
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'false' : 'true';
  if (document.body.dataset.jpThemeLight !== theme) faults.push('pictures are not told of the theme');
  return faults;
}

/** Lays every fold open or closes it. */
const fold = (page, isOpen) => page.evaluate((open) => {
  for (const details of document.querySelectorAll('main details')) details.open = open;
}, isOpen);

async function lookAtPage(context, file, where, picture) {
  const page = await context.newPage();
  const troubles = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) troubles.push(message.text()); });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => { if (!/^(file|data):/.test(request.url())) troubles.push(`asks for ${request.url()}`); });
  await page.goto(pathToFileURL(file).href);
  const exercises = page.locator('details.exercise');
  const open = await exercises.evaluateAll((all) => all.filter((one) => one.open).length);
  check(where, 'exercises are folded', open === 0);
  none(where, 'shows what it should', await page.evaluate(faultsOfThePage));
  if (picture) await page.screenshot({ path: picture, fullPage: true });
  await fold(page, true);
  none(where, 'shows what it should with all folds open', await page.evaluate(faultsOfThePage));
  none(where, 'neither fetches nor complains', troubles);
  await page.close();
}

/** All pages in the folder `site`; the pictures of them go into `folder`. */
export async function lookAtBook(browser, site, folder) {
  const names = (await readdir(site, { recursive: true })).filter((name) => name.endsWith('.html')).sort();
  check('book', 'has pages', names.length > 1, site);
  for (const colorScheme of THEMES) {
    for (const viewport of SIZES) {
      const context = await browser.newContext({ viewport, colorScheme, offline: true });
      for (const name of names) {
        const look = `${colorScheme}-${viewport.width}`;
        const picture = path.join(folder, `book-${name.replaceAll(/[^a-z0-9]+/gi, '-')}-${look}.png`);
        await lookAtPage(context, path.join(site, name), `book, ${name}, ${look}`, WITH_PICTURES.test(name) && picture);
      }
      await context.close();
    }
  }
  note(`book: ${names.length} pages`);
}
