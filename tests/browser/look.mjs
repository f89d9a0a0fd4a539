// The notebooks in a browser: look.mjs ADDRESS FOLDER [NOTEBOOK...], as `run` calls it.
// ADDRESS is what `cargo lab` prints, FOLDER takes the pictures and Chromium's profile.

import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { lookAt } from './as_shipped.mjs';
import { lookAtBook } from './book.mjs';
import { tryOut } from './changed.mjs';
import { lookAtExplorers } from './explorer.mjs';
import { OpenNotebook, readNotebook } from './jupyterlab.mjs';
import { check, finish, note } from './report.mjs';

const CHANGED = '02_lease_expiry';

const here = path.dirname(fileURLToPath(import.meta.url));
const notebooks = path.join(here, '../../notebooks');
const [address, folder, ...wanted] = process.argv.slice(2);

const profile = path.join(folder, 'profile');
const options = {
  executablePath: process.env.CHROMIUM,
  headless: true,
  // What Chromium would keep in the home folder.
  env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-proxy-server',
  ],
};

async function startChromium() {
  await rm(profile, { recursive: true, force: true });
  await mkdir(profile, { recursive: true });
  const viewport = { width: 1280, height: 900 };
  const context = await chromium.launchPersistentContext(profile, { ...options, viewport });
  await context.addInitScript({ path: path.join(here, 'in_page.js') });
  return context;
}

/** Needs no JupyterLab. */
async function withExplorers() {
  const browser = await chromium.launch(options);
  try {
    await lookAtExplorers(browser, path.join(folder, 'explorer.html'), folder);
  } catch (error) {
    check('explorer', 'can be looked at', false, error.stack);
  } finally {
    await browser.close();
  }
}

/** Needs no JupyterLab. */
async function withBook() {
  const browser = await chromium.launch(options);
  try {
    await lookAtBook(browser, path.join(folder, 'book'), folder);
  } catch (error) {
    check('book', 'can be looked at', false, error.stack);
  } finally {
    await browser.close();
  }
}

async function withNotebook(context, file, name, work) {
  const lab = new OpenNotebook(context, address, await readNotebook(file));
  try {
    await lab.open();
    await work(lab, folder);
  } catch (error) {
    const picture = path.join(folder, `${name}-trouble.png`);
    await lab.page?.screenshot({ path: picture }).catch(() => {});
    check(name, 'can be looked at', false, `${error.stack}\nsee ${picture}`);
  } finally {
    await lab.close().catch((error) => check(name, 'can be closed', false, error.message.split('\n')[0]));
  }
}

const files = (await readdir(notebooks)).filter((name) => name.endsWith('.ipynb')).sort();
const isWanted = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part));
const context = await startChromium();
note(`Chromium ${context.browser()?.version() ?? ''}`.trim());
try {
  for (const file of files.filter(isWanted)) {
    await withNotebook(context, path.join(notebooks, file), path.basename(file, '.ipynb'), lookAt);
  }
  if (isWanted('changed')) {
    await withNotebook(context, path.join(notebooks, `${CHANGED}.ipynb`), `${CHANGED} changed`, tryOut);
  }
} finally {
  await context.close();
}
if (isWanted('explorer')) await withExplorers();
if (isWanted('book')) await withBook();
process.exitCode = finish(path.join(folder, 'counts'));
