// Runs with axe in a page that opens the checked one, so that both stay loaded and warm while the checked page navigates.
(() => {
  const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
  // Their result depends on where elements are and how large they are; that of all others only on which ones are shown.
  const LAYOUT_RULES = ['target-size', 'scrollable-region-focusable'];
  const MOST_LINES = 3;
  // Their text is not a child node. Checkboxes and radio buttons have none.
  const FIELDS = 'input:not([type=checkbox], [type=radio]), select, textarea, option';

  const { axe, aimAxe } = window;
  // The window of the checked page.
  const shown = window.open('about:blank');
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

  // Removes items that add no new structure: two siblings with the same structure precede the item, and each of its
  // descendants has the same path, down to classes, attributes, labels and states, as an element before it. They have the
  // same faults. Two stay, because the distance between them counts too.
  function thinOut() {
    const { document } = shown;
    // Names and texts differ from row to row; states, classes and types are short words.
    const isOwn = (name) =>
      /^(?:id|for|href|title|alt|datetime|aria-label|aria-labelledby|aria-describedby)$/.test(name);
    const isState = ({ name, value }) =>
      name === 'class' || name === 'style' || (!isOwn(name) && /^[a-z -]{0,30}$/.test(value));
    const kinds = new Map();
    const noteKinds = (element, path) => {
      const attributes = [...element.attributes].map((one) => (isState(one) ? `${one.name}=${one.value}` : one.name));
      const place = `${path}>${[element.localName, ...attributes.sort(), element.labels?.length].join(' ')}`;
      for (const child of element.children) noteKinds(child, place);
      const parts = new Set([...element.children].map((child) => child.localName));
      kinds.set(element, `${place}(${[...parts].sort()}${hasText(element) ? ' text' : ''}`);
    };
    noteKinds(document.body, '');
    const seen = new Set();
    const isSeen = (element) => seen.has(kinds.get(element));
    const thin = (parent) => {
      const counts = new Map();
      for (const child of [...parent.children]) {
        const kind = kinds.get(child);
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        if (count > 2 && [...child.querySelectorAll('*')].every(isSeen)) child.remove();
        else thin(child);
      }
      for (const child of parent.children) seen.add(kinds.get(child));
    };
    thin(document.body);
    // No rule looks at the shapes of a drawing.
    for (const line of document.querySelectorAll('svg > :not(title, desc)')) line.remove();
  }

  // A short hash of a long text.
  function digest(text) {
    let [one, other] = [0xdeadbeef, 0x41c6ce57];
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      one = Math.imul(one ^ code, 2654435761);
      other = Math.imul(other ^ code, 1597334677);
    }
    return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
  }

  // The visible texts with new colours, each with a hash of the colours that decide its contrast, and a hash of these and
  // its structure. Two of each structure, because one of them may not be measurable at its position.
  function newColours(known) {
    const { document } = shown;
    const looks = new Map();
    const look = (element) => {
      if (!element) return { behind: '', place: [], isClipped: false };
      const found = looks.get(element);
      if (found) return found;
      const style = shown.getComputedStyle(element);
      const parent = look(element.parentElement);
      const layers = [
        style.backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : style.backgroundColor,
        style.backgroundImage === 'none' ? '' : style.backgroundImage,
        style.opacity === '1' ? '' : style.opacity,
        style.filter === 'none' ? '' : style.filter,
        style.mixBlendMode === 'normal' ? '' : style.mixBlendMode,
        style.position === 'static' || style.position === 'relative' ? '' : style.position,
      ];
      const behind = layers.some(Boolean) ? `${parent.behind}<${layers}` : parent.behind;
      const place = [...parent.place.slice(-2), `${element.localName}.${element.className}`];
      const own = { behind, place, style, isClipped: parent.isClipped || style.clipPath === 'inset(50%)' };
      looks.set(element, own);
      return own;
    };
    const letters = ({ style }) => [style.color, style.fontSize, style.fontWeight, style.fontStyle, style.fontFamily];
    // The properties in which a link has to differ from the text around it, and those of that text.
    const linkLook = (element) => {
      let block = element.parentElement;
      while (block.parentElement && look(block).style.display.startsWith('inline')) block = block.parentElement;
      if (block.textContent.trim().length <= element.textContent.trim().length) return [];
      const { style } = look(element);
      return [
        ...letters(look(element)),
        style.textDecorationLine,
        style.border,
        look(block).behind,
        ...letters(look(block)),
      ];
    };
    const fresh = new Map();
    const counts = new Map();
    for (const element of document.body.querySelectorAll('*')) {
      const isText = hasText(element) || element.matches(FIELDS);
      if (!isText || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const { style, behind, place, isClipped } = look(element);
      // Visually hidden texts are never measured.
      if (isClipped) continue;
      const colours = [
        ...[style.color, style.fontSize, style.fontWeight, style.textShadow, style.webkitTextFillColor, behind],
        ...(element.localName === 'a' ? linkLook(element) : []),
      ].join(';');
      const names = { colours: digest(colours), built: digest(`${colours};${place}`) };
      if (known.has(names.colours) || known.has(names.built)) continue;
      const count = (counts.get(names.built) ?? 0) + 1;
      counts.set(names.built, count);
      if (count <= 2) fresh.set(element, names);
    }
    return fresh;
  }

  let fresh = new Map();
  for (const rule of axe._audit.rules.filter(({ id }) => COLOUR_RULES.includes(id))) {
    const matches = rule.matches.bind(rule);
    rule.matches = (element, ...rest) => fresh.has(element) && matches(element, ...rest);
  }
  // Selectors are made here, because axe discards its data about the page after reporting.
  axe.addReporter('findings', (results, _options, callback) => {
    const lines = results.flatMap(({ id, violations }) =>
      violations.slice(0, MOST_LINES).map(({ node, none, all, any }) => {
        const [why] = [...none, ...all, ...any];
        return `${id}: ${node.selector.join(' ')}: ${why?.message ?? ''}`;
      }),
    );
    const contrast = results.find(({ id }) => id === 'color-contrast');
    const judged = [...(contrast?.violations ?? []), ...(contrast?.passes ?? [])];
    callback({ lines, judged: judged.map(({ node }) => node.element) });
  });
  axe.configure({ noHtml: true });

  const isShown = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const { width, height, right, bottom } = element.getBoundingClientRect();
    return width > 1 && height > 1 && right > 0 && bottom + shown.scrollY > 0;
  };
  let shownBefore = new Map();

  // A hash of the elements that were shown at the last size and are not at this one, or the other way round. Pages that
  // share it show and hide the same parts, such as the menu of the site.
  function changeOfSize() {
    const pathOf = (element) =>
      element ? `${pathOf(element.parentElement)}>${element.localName}.${element.getAttribute('class')}` : '';
    const changed = [...shownBefore].filter(([element, was]) => isShown(element) !== was);
    return digest(`size ${[...new Set(changed.map(([element, was]) => `${was}${pathOf(element)}`))]}`);
  }

  // Runs every rule, only those about colours, or those whose result may be another one at this size than at the one before.
  async function check({ rules, known }) {
    const isKnown = new Set(known);
    fresh = newColours(isKnown);
    if (rules === 'colours' && fresh.size === 0) return { lines: [], known: [] };
    const change = rules === 'resized' ? changeOfSize() : '';
    const runsAll = rules === 'all' || (rules === 'resized' && !isKnown.has(change));
    const chosen = rules === 'resized' ? [...COLOUR_RULES, ...LAYOUT_RULES] : COLOUR_RULES;
    if (rules === 'all')
      shownBefore = new Map([...shown.document.body.querySelectorAll('*')].map((one) => [one, isShown(one)]));
    aimAxe(shown);
    const { lines, judged } = await axe.run(shown.document, {
      runOnly: runsAll ? { type: 'tag', values: TAGS } : { type: 'rule', values: chosen },
      reporter: 'findings',
      preload: false,
    });
    const measured = judged.map((element) => fresh.get(element).colours);
    const built = [...fresh.values()].map((names) => names.built);
    return { lines, known: [...new Set([...measured, ...built, change])] };
  }

  window.pageCheck = { thinOut, check };
})();
