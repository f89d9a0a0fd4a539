// Looks at what is drawn, from within the page: sizes, colours, and what covers what.
// Everything is given an element and returns a list of faults, each a sentence.
window.look = (() => {
  const CONTRAST = 4.5;
  const CONTRAST_OF_LARGE_TEXT = 3;

  // --- colours -------------------------------------------------------------------------------

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

  /** Any CSS colour as red, green, blue (0 to 255) and alpha (0 to 1). */
  function parse(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = '#000';
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  }

  function over(front, back) {
    const mix = (channel) => front[channel] * front.a + back[channel] * (1 - front.a);
    return { r: mix('r'), g: mix('g'), b: mix('b'), a: 1 };
  }

  function luminance({ r, g, b }) {
    const linear = [r, g, b].map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }

  /** As the WCAG define it, from 1 to 21. */
  function ratio(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  function written({ r, g, b }) {
    return `#${[r, g, b].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
  }

  /** How much of an element its own opacity and that of all around it leave. */
  function opacity(element) {
    let left = 1;
    for (let at = element; at; at = at.parentElement) left *= Number(getComputedStyle(at).opacity);
    return left;
  }

  const isSvg = (element) => element instanceof SVGElement && !(element instanceof SVGSVGElement);

  /** What an element paints behind things that lie on it. */
  function paint(element) {
    const style = getComputedStyle(element);
    if (!isSvg(element)) {
      const colour = parse(style.backgroundColor);
      return { ...colour, a: colour.a * opacity(element) };
    }
    if (element instanceof SVGTextContentElement || style.fill === 'none' || element instanceof SVGLineElement) {
      return { r: 0, g: 0, b: 0, a: 0 };
    }
    const colour = parse(style.fill);
    return { ...colour, a: colour.a * Number(style.fillOpacity) * opacity(element) };
  }

  /** The colour behind a text at a point, and what lies over the text. */
  function behind(text, x, y) {
    const stack = document.elementsFromPoint(x, y);
    const at = stack.indexOf(text);
    const covers = stack.slice(0, at).filter((element) => paint(element).a > 0.2);
    const ground = stack.slice(at).reverse().reduce((back, layer) => over(paint(layer), back), parse('white'));
    return { ground, cover: covers.find((element) => !text.contains(element)) };
  }

  function isShown(element) {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility === 'visible';
  }

  /** Elements that hold text themselves. */
  function textsIn(root) {
    const holds = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const isText = (element) => (isSvg(element) ? element instanceof SVGTextContentElement : !['STYLE', 'SCRIPT'].includes(element.tagName));
    return [root, ...root.querySelectorAll('*')].filter((element) => isText(element) && holds(element) && isShown(element));
  }

  const short = (element) => {
    const words = element.textContent.replace(/\s+/g, ' ').trim();
    return words.length > 40 ? `${words.slice(0, 40)}…` : words;
  };

  /** Points on an element's own words that are on the page, not scrolled or cut away. */
  function pointsOn(text) {
    const own = [...text.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const points = [];
    for (const node of own) {
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, top, width, height } of [...range.getClientRects()].slice(0, 20)) {
        for (const share of [0.15, 0.5, 0.85]) points.push([left + width * share, top + height / 2]);
      }
    }
    return points.filter(([x, y]) => document.elementsFromPoint(x, y).includes(text));
  }

  function lowContrast(root) {
    const faults = new Set();
    for (const text of textsIn(root)) {
      const style = getComputedStyle(text);
      const box = text.getBoundingClientRect();
      if (box.top < 0 || box.bottom > innerHeight) {
        text.scrollIntoView({ block: 'center' });
      }
      const ownColour = parse(isSvg(text) ? style.fill : style.color);
      const alpha = ownColour.a * (isSvg(text) ? Number(style.fillOpacity) : 1) * opacity(text);
      const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
      const hasHalo = isSvg(text) && style.paintOrder.startsWith('stroke') && style.stroke !== 'none' && parseFloat(style.strokeWidth) >= 2;
      for (const [x, y] of pointsOn(text)) {
        const { ground, cover } = behind(text, x, y);
        const back = hasHalo ? over(parse(style.stroke), ground) : ground;
        const seen = over({ ...ownColour, a: alpha }, back);
        const contrast = ratio(seen, back);
        if (contrast < (isLarge ? CONTRAST_OF_LARGE_TEXT : CONTRAST)) {
          faults.add(`'${short(text)}': contrast ${contrast.toFixed(2)}, ${written(seen)} on ${written(back)}`);
        }
        if (cover) faults.add(`'${short(text)}' is covered by a <${cover.tagName}>`);
      }
    }
    return [...faults];
  }

  // --- places --------------------------------------------------------------------------------

  const inside = (inner, outer, slack = 1) => inner.left >= outer.left - slack && inner.right <= outer.right + slack
    && inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;

  /** The letters' own part of a line of text; the rest of its box is space between lines. */
  function letters(text) {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const spare = (bottom - top) * 0.22;
    return { left, right, top: top + spare, bottom: bottom - spare };
  }

  function textFaults(svg) {
    const faults = [];
    const page = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].filter((text) => isShown(text) && !text.closest('.fz-tip'));
    const boxes = texts.map(letters);
    texts.forEach((text, index) => {
      if (!inside(boxes[index], page)) faults.push(`'${short(text)}' is cut off at the picture's edge`);
      for (let other = 0; other < index; other += 1) {
        const [one, two] = [boxes[index], boxes[other]];
        const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        if (wide > 1 && high > 1) faults.push(`'${short(text)}' lies over '${short(texts[other])}'`);
      }
    });
    return faults;
  }

  /** Whatever sticks out of its cell at the side. */
  function overflow(cell) {
    const faults = [];
    for (const output of cell.querySelectorAll('.jp-OutputArea-output, .jp-RenderedHTMLCommon, .jp-OutputArea-output pre')) {
      const out = output.scrollWidth - output.clientWidth;
      if (output.clientWidth > 0 && out > 1) {
        faults.push(`sticks out by ${out} px of ${output.clientWidth}: '${short(output)}'`);
      }
    }
    return faults;
  }

  /** Code that can be read only by scrolling. */
  function codeOverflow(cell) {
    const scroller = cell.querySelector('.cm-scroller');
    const out = scroller.scrollWidth - scroller.clientWidth;
    const lines = [...cell.querySelectorAll('.cm-line')].filter((line) => {
      const range = document.createRange();
      range.selectNodeContents(line);
      return range.getBoundingClientRect().right > scroller.getBoundingClientRect().right;
    });
    return out > 1 ? lines.map((line) => `${line.textContent.length} letters in a line: '${line.textContent.trim()}'`) : [];
  }

  // --- pictures ------------------------------------------------------------------------------

  /** The pictures and tables of a cell that are on the page, not folded away; largest first. */
  function pictures(cell) {
    const found = [...cell.querySelectorAll('.jp-OutputArea-output svg, .jp-OutputArea-output img, .jp-OutputArea-output table')];
    const sizes = found.filter((element) => element.checkVisibility()).map((element) => {
      const { width, height } = element.getBoundingClientRect();
      return { kind: element.tagName.toLowerCase(), width: Math.round(width), height: Math.round(height) };
    });
    return sizes.sort((a, b) => b.width * b.height - a.width * a.height);
  }

  /** What readers who cannot see the pictures miss. */
  function unnamed(cell) {
    const faults = [];
    for (const img of cell.querySelectorAll('.jp-OutputArea-output img')) {
      if (!img.complete || img.naturalWidth === 0) faults.push('an <img> does not load');
    }
    for (const svg of cell.querySelectorAll('.jp-OutputArea-output svg')) {
      if (svg.getAttribute('role') !== 'img') faults.push('an <svg> has not role="img"');
      if (!svg.getAttribute('aria-label')?.trim()) faults.push('an <svg> has no aria-label');
    }
    const ids = [...cell.querySelectorAll('.jp-OutputArea-output [id]')].map((element) => element.id);
    for (const id of ids) {
      if (document.querySelectorAll(`#${CSS.escape(id)}`).length > 1) faults.push(`the id '${id}' is there twice`);
    }
    return faults;
  }

  /** Focuses every event of a diagram in turn, and judges the tip that it shows. */
  function tipFaults(svg) {
    const faults = [];
    const page = svg.getBoundingClientRect();
    for (const event of svg.querySelectorAll('.fz-event')) {
      const tip = event.querySelector('.fz-tip');
      const name = short(tip ?? event);
      event.focus({ preventScroll: true });
      const style = tip && getComputedStyle(tip);
      if (!tip || style.visibility !== 'visible' || !tip.textContent.trim()) {
        faults.push(`focus shows no tip: '${name}'`);
        continue;
      }
      const ground = tip.querySelector('rect').getBoundingClientRect();
      if (!inside(ground, page)) faults.push(`the tip is cut off: '${name}'`);
      for (const text of tip.querySelectorAll('text')) {
        if (!inside(letters(text), ground)) faults.push(`the tip's words reach out of it: '${short(text)}'`);
        const contrast = ratio(parse(getComputedStyle(text).fill), parse(getComputedStyle(tip.querySelector('rect')).fill));
        if (contrast < CONTRAST) faults.push(`the tip is hard to read, contrast ${contrast.toFixed(2)}: '${name}'`);
      }
      event.blur();
    }
    return faults;
  }

  return { lowContrast, textFaults, overflow, codeOverflow, pictures, unnamed, tipFaults };
})();
