// Drives JupyterLab as a reader does: by its menus, its toolbar and its cells.
//
// What a reader does in the test must not reach the checkout. So this page's savings and settings
// are kept here instead of being passed on: the server never sees them. As a by-product, a saved
// notebook tells exactly what each cell put out.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

const PANEL = '.jp-NotebookPanel:not(.lm-mod-hidden)';
const OPEN_LIMIT = 60_000;
const KERNEL_LIMIT = 300_000;
const CELLS_LIMIT = 180_000;

/** A notebook as its file has it. */
export async function readNotebook(file) {
  const { cells, metadata } = JSON.parse(await readFile(file, 'utf8'));
  const joined = cells.map((cell, index) => ({
    id: cell.id,
    index,
    isCode: cell.cell_type === 'code',
    source: [].concat(cell.source).join(''),
    tags: cell.metadata.tags ?? [],
  }));
  return { name: path.basename(file, '.ipynb'), cells: joined, metadata };
}

/** A notebook that is open in JupyterLab. */
export class OpenNotebook {
  constructor(context, address, notebook) {
    Object.assign(this, { context, address: new URL(address), notebook });
    this.consoleErrors = [];
    this.saved = undefined;
    this.timings = {};
  }

  /** Opens it as a link to it does, and waits until its kernel has started. */
  async open() {
    const start = Date.now();
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(20_000);
    this.page.on('pageerror', (error) => this.consoleErrors.push(`uncaught: ${error.message}`));
    this.page.on('console', (message) => {
      if (message.type() === 'error') this.consoleErrors.push(message.text());
    });
    await this.keepSavingsHere();
    await this.keepSettingsHere();
    const place = new URL(`/lab/tree/notebooks/${this.notebook.name}.ipynb`, this.address);
    place.search = `${this.address.search}&reset`;
    await this.page.goto(place.href, { timeout: OPEN_LIMIT });
    await this.page.waitForSelector(`${PANEL} .jp-Cell`, { timeout: OPEN_LIMIT });
    this.timings.cells = seconds(start);
    // A dialog means that the reader has to choose; it is looked for while the kernel starts.
    const ready = this.untilReady();
    const dialog = this.page.waitForSelector('.jp-Dialog', { timeout: KERNEL_LIMIT });
    for (const either of [ready, dialog]) either.catch(() => {});
    await Promise.race([ready, dialog]);
    this.timings.kernel = seconds(start);
  }

  /** The status bar alone tells a kernel that has nothing to do from one that is not there yet. */
  async untilReady() {
    const status = this.page.locator('#jp-main-statusbar').getByText(/\| Idle/);
    await status.waitFor({ timeout: KERNEL_LIMIT });
  }

  indicator(status) {
    return `${PANEL} .jp-Notebook-ExecutionIndicator[data-status="${status}"]`;
  }

  /** Closes the page and ends the kernels of this server, of which no two should be alive. */
  async close() {
    const api = new URL('/api/sessions', this.address);
    const headers = { Authorization: `token ${this.address.searchParams.get('token')}` };
    const sessions = await (await this.context.request.get(api.href, { headers })).json();
    await this.page?.close();
    for (const { id } of sessions) {
      await this.context.request.delete(`${api.href}/${id}`, { headers });
    }
  }

  async keepSavingsHere() {
    await this.page.route(/\/api\/contents\//, async (route) => {
      const request = route.request();
      if (request.method() === 'PUT') {
        const asked = request.postDataJSON();
        if (asked.type === 'notebook') this.saved = asked.content;
        const now = await route.fetch({ method: 'GET', url: request.url().replace(/\?.*|$/, '?content=0'), postData: '' });
        return route.fulfill({ response: now });
      }
      if (request.method() === 'GET') return route.continue();
      // Checkpoints.
      const checkpoint = { id: 'checkpoint', last_modified: new Date().toISOString() };
      return route.fulfill({ status: 201, json: checkpoint });
    });
    await this.page.route(/\/lab\/api\/workspaces\//, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 204 }));
  }

  /** Whatever the person whose checkout this is has set, the test sees what a new reader sees. */
  async keepSettingsHere() {
    const changed = new Map();
    await this.page.route(/\/lab\/api\/settings/, async (route) => {
      const request = route.request();
      if (request.method() !== 'GET') {
        const id = decodeURIComponent(new URL(request.url()).pathname.split('/settings/')[1]);
        changed.set(id, request.postDataJSON().raw);
        return route.fulfill({ status: 204 });
      }
      const response = await route.fetch();
      const json = await response.json();
      for (const plugin of json.settings && Array.isArray(json.settings) ? json.settings : [json]) {
        plugin.raw = changed.get(plugin.id) ?? '{}';
        plugin.settings = undefined;
      }
      return route.fulfill({ response, json });
    });
  }

  /** Chooses from a menu, and from the menus within it. */
  async choose(menu, ...items) {
    await this.page.locator('.lm-MenuBar-itemLabel', { hasText: exactly(menu) }).click();
    for (const [depth, item] of items.entries()) {
      const label = this.page.locator('.lm-Menu-itemLabel', { hasText: exactly(item) });
      const entry = this.page.locator('.lm-Menu-item', { has: label }).last();
      await (depth === items.length - 1 ? entry.click() : entry.hover());
    }
  }

  async runAll() {
    const start = Date.now();
    await this.choose('Run', 'Run All Cells');
    await this.untilIdle();
    this.timings.ran ??= seconds(start);
  }

  /** Until nothing runs and nothing waits to be run. */
  async untilIdle(limit = CELLS_LIMIT) {
    await this.page.waitForTimeout(150);
    await this.page.waitForFunction(
      ([panel, idle]) => document.querySelector(idle)
        && ![...document.querySelectorAll(`${panel} .jp-InputPrompt`)].some((prompt) => prompt.textContent.includes('*')),
      [PANEL, this.indicator('idle')],
      { timeout: limit, polling: 100 },
    );
    await this.page.waitForTimeout(600);
  }

  async untilBusy() {
    await this.page.waitForSelector(this.indicator('busy'));
  }

  /** Opens the theme by its menu. */
  async theme(name) {
    await this.choose('Settings', 'Theme', `JupyterLab ${name}`);
    const is_dark = `body[data-jp-theme-light="${name === 'Light'}"]`;
    await this.page.waitForSelector(is_dark, { state: 'attached' });
    await this.page.waitForTimeout(500);
  }

  /** What each cell put out, as a saved notebook has it: a list for each cell. */
  async outputs() {
    this.saved = undefined;
    await this.choose('File', 'Save Notebook');
    for (let wait = 0; !this.saved && wait < 100; wait += 1) await this.page.waitForTimeout(100);
    if (!this.saved) throw new Error('saving did not come about');
    return this.saved.cells.map((cell) => cell.outputs ?? []);
  }

  cell(id) {
    return this.cellAt(this.indexOf(id));
  }

  cellAt(index) {
    return this.page.locator(`${PANEL} .jp-Notebook .jp-Cell`).nth(index);
  }

  indexOf(id) {
    const found = this.notebook.cells.findIndex((cell) => cell.id === id);
    if (found < 0) throw new Error(`${this.notebook.name} has no cell '${id}'`);
    return found;
  }

  source(id) {
    return this.notebook.cells[this.indexOf(id)].source;
  }

  /** Replaces what a cell says, leaving the cursor behind it. */
  async write(id, source) {
    const editor = this.cell(id).locator('.cm-content');
    await editor.scrollIntoViewIfNeeded();
    await editor.click();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.insertText(source);
  }

  /** Runs a cell as it stands, or with another source, and gives the text that it shows. */
  async run(id, source = undefined) {
    if (source === undefined) {
      await this.cell(id).locator('.cm-content').click();
    } else {
      await this.write(id, source);
    }
    await this.page.keyboard.press('Control+Enter');
    await this.untilIdle();
    return this.shown(id);
  }

  async shown(id) {
    return (await this.cell(id).locator('.jp-OutputArea-output').allTextContents()).join('');
  }

  /** Anything that lies over the page and wants an answer. */
  async popups() {
    const texts = await this.page.locator('.jp-Dialog, .Toastify__toast').allTextContents();
    return texts.map((text) => text.replace(/\s+/g, ' ').trim());
  }
}

function exactly(text) {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

export function seconds(start) {
  return (Date.now() - start) / 1000;
}
