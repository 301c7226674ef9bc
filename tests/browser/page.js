// What check.py asks a page; the page itself does without.
globalThis.checks = (() => {
  const all = (selector) => [...document.querySelectorAll(selector)];

  // Text inside SVG has a box of its own; title and desc have none.
  const visible = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getClientRects().length > 0;

  const texts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || element.closest("title, desc, script")) continue;
      if (visible(element)) found.push(walker.currentNode);
    }
    return found;
  };

  const channels = (colour) => {
    const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
    return { rgb: [red, green, blue], alpha };
  };
  const over = (top, below) =>
    top.rgb.map((value, i) => top.alpha * value + (1 - top.alpha) * below[i]);

  // WCAG 2.2: relative luminance, and the contrast ratio.
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  const background = (element) => {
    if (!element) return [255, 255, 255];
    const own = channels(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, background(element.parentElement));
  };

  const filled = (picture) =>
    [...picture.querySelectorAll("polygon, circle, rect")]
      .map((shape) => ({ shape, box: shape.getBBox(), fill: getComputedStyle(shape).fill }))
      .filter(({ fill }) => fill !== "none");
  const touch = (a, b) =>
    a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;

  // The fills that a text of a picture lies on: of each of some points the topmost.
  const fillsUnder = (text, known) => {
    const picture = text.ownerSVGElement;
    if (!known.has(picture)) known.set(picture, filled(picture));
    const page = background(picture);
    const box = text.getBBox();
    const shapes = known
      .get(picture)
      .filter((one) => touch(one.box, box))
      .filter(
        ({ shape }) => shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING,
      );
    const found = [];
    for (let i = 0; i <= 8; i += 1) {
      for (let j = 0; j <= 2; j += 1) {
        const at = new DOMPoint(box.x + (box.width * i) / 8, box.y + (box.height * j) / 2);
        const top = shapes.findLast(({ shape }) => shape.isPointInFill(at));
        found.push(top ? over(channels(top.fill), page) : page);
      }
    }
    return found;
  };

  const contrasts = () => {
    const known = new Map();
    return texts().map((node) => {
      const element = node.parentElement;
      const drawn = element.closest("svg text");
      const style = getComputedStyle(element);
      const colour = channels(drawn ? style.fill : style.color);
      const grounds = drawn ? fillsUnder(drawn, known) : [background(element)];
      const least = Math.min(
        ...grounds.map((ground) => contrast(over(colour, ground), ground)),
      );
      return { text: node.data.trim().slice(0, 40), contrast: least };
    });
  };

  return {
    contrasts,
    // What is read, less what the script adds.
    words: () =>
      texts()
        .filter((node) => !node.parentElement.closest(".filter"))
        .map((node) => node.data.trim()),
    hidden: (selector) =>
      all(selector)
        .filter((element) => !element.matches("title, desc") && !visible(element))
        .map((element) => element.outerHTML.slice(0, 80)),
    colours: () =>
      all("body, body *").map((element) => {
        const style = getComputedStyle(element);
        return [style.color, style.backgroundColor, style.fill, style.stroke].join(" ");
      }),
    // Texts beyond what clips them, unless they can be scrolled to.
    outside: () =>
      texts()
        .filter((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          const text = range.getBoundingClientRect();
          const clips = node.parentElement.closest(
            "figure, .scroll, pre, section, html",
          );
          if (getComputedStyle(clips).overflowX === "auto") return false;
          const { left, right } = clips.getBoundingClientRect();
          return text.left < left - 0.5 || text.right > right + 0.5;
        })
        .map((node) => node.data.trim().slice(0, 80)),
    cut: () =>
      all("main, main *")
        .filter((element) => getComputedStyle(element).overflowX !== "visible")
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => element.outerHTML.slice(0, 80)),
    mute: () =>
      all("svg")
        .filter((picture) => {
          const words = ["title", "desc"].map((tag) =>
            picture.querySelector(`:scope > ${tag}`)?.textContent.trim(),
          );
          return picture.getAttribute("role") !== "img" || !words.every(Boolean);
        })
        .map((picture) => picture.outerHTML.slice(0, 80)),
    unfold: () => {
      for (const details of all("details")) details.open = true;
    },
    rows: () =>
      [...document.querySelector("table.sortable").tBodies[0].rows]
        .filter(visible)
        .map((row) => [...row.cells].map((cell) => cell.textContent)),
    focused: () => {
      const { tagName, textContent } = document.activeElement;
      return `${tagName.toLowerCase()} ${textContent.slice(0, 30)}`;
    },
    // Frame by frame from the top to the bottom; the milliseconds of each.
    scroll: async (steps) => {
      const frame = () => new Promise(requestAnimationFrame);
      const page = document.documentElement;
      const frames = [];
      let last = await frame();
      for (let i = 1; i <= steps; i += 1) {
        scrollTo(0, ((page.scrollHeight - innerHeight) * i) / steps);
        const now = await frame();
        frames.push(now - last);
        last = now;
      }
      return [frames, scrollY + innerHeight >= page.scrollHeight - 2];
    },
  };
})();
