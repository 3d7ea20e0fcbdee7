/** The section Now: decisions per second, in total and by policy. */

import {h} from './common.js';
import {ask} from './api.js';
import {Repeated} from './live.js';
import {Lines, runs} from './lines.js';
import {ServiceState} from './service-state.js';
import {clock, number, percent, rate} from './words.js';

const SPANS = [[60, '1 min'], [300, '5 min'], [600, '10 min']];
const MOST_POLICIES = 40;
const find = (id) => document.getElementById(id);
const time = (seconds) => clock(seconds * 1000);

const SERIES = [
  {name: 'allowed', label: 'allowed', color: 'allowed', stack: 'all'},
  {name: 'denied', label: 'denied', color: 'denied', stack: 'all'},
  {name: 'shadow_denied', label: 'shadow-denied', color: 'shadowed', dashed: true},
];

/** A figure with its label. */
class Tile {
  constructor(kind, what) {
    this.figure = h('span');
    this.more = h('div', {class: 'more'}, '\u00a0');
    this.element = h('div', {class: 'tile', id: `tile-${kind}`},
      h('div', {class: 'what'}, h('span', {class: `swatch ${kind}`}), what),
      h('div', {class: 'figure'}, this.figure, h('small', {}, '/s')), this.more);
    this.show('–', '\u00a0');
  }

  show(figure, more) {
    this.figure.textContent = figure;
    this.more.textContent = more;
  }
}

/** The row of a policy, with its chart and figures. */
class PolicyRow {
  constructor(name) {
    this.canvas = h('canvas', {'aria-hidden': 'true'});
    this.allowed = h('b');
    this.denied = h('b');
    this.shadow = h('small');
    this.deniedCell = h('span', {class: 'number denied', role: 'cell'}, this.denied, this.shadow);
    this.element = h('div', {class: 'policy-row', role: 'row'},
      h('span', {class: 'title', role: 'cell'}, name),
      h('div', {class: 'canvas', role: 'presentation'}, this.canvas),
      h('span', {class: 'number', role: 'cell'}, this.allowed),
      this.deniedCell);
  }

  show(own, seconds, span) {
    this.lines ??= new Lines(this.canvas, SERIES, {x: time, y: rate}, true);
    const shadowDenied = seconds.sum(own.shadow_denied, span);
    const shadow = shadowDenied === 0 ? new Array(seconds.length).fill(null) : own.shadow_denied;
    this.lines.show({from: seconds.from, span, lists: [own.allowed, own.denied, shadow]});
    for (const [element, list] of [[this.allowed, own.allowed], [this.denied, own.denied]]) {
      element.textContent = rate(list.at(-1) ?? 0);
      element.classList.toggle('none', !list.at(-1));
    }
    this.deniedCell.classList.toggle('some', Boolean(own.denied.at(-1)));
    this.shadow.textContent = shadowDenied === 0 ? '' : `${number(shadowDenied)} shadow`;
  }

  remove() {
    this.lines?.remove();
    this.element.remove();
  }
}

export class Now {
  constructor(seconds) {
    this.seconds = seconds;
    [[this.span]] = SPANS;
    this.isShown = false;
    this.rows = new Map();
    this.tiles = {
      total: new Tile('total', 'Decisions'), allowed: new Tile('allowed', 'Allowed'),
      denied: new Tile('denied', 'Denied'), shadow_denied: new Tile('shadow_denied', 'Shadow-denied'),
    };
    find('tiles').append(...Object.values(this.tiles).map((tile) => tile.element));
    this.serviceState = new ServiceState(seconds);
    find('spans').append(...SPANS.map(([span, text]) => h('button', {type: 'button', onclick: () => this.#choose(span)}, text)));
    this.#choose(this.span);
    find('pause').addEventListener('click', () => this.#pause(!this.seconds.isPaused));
    this.polled = new Repeated(1000, () => this.#poll(), () => !this.seconds.isPaused);
  }

  /** Starts to poll. This continues while another section is shown, because other sections use the same seconds. */
  start() {
    this.polled.now();
    this.serviceState.start();
  }

  show() {
    this.isShown = true;
    this.draw();
  }

  hide() {
    this.isShown = false;
  }

  #choose(span) {
    this.span = span;
    [...find('spans').children].forEach((one, i) => one.setAttribute('aria-pressed', String(SPANS[i][0] === span)));
    this.draw();
  }

  #pause(isPaused) {
    this.seconds.isPaused = isPaused;
    find('pause').setAttribute('aria-pressed', String(isPaused));
    find('pause').textContent = isPaused ? 'Resume' : 'Pause';
    this.polled.now();
  }

  async #poll() {
    const {last} = this.seconds;
    this.seconds.add(await ask(last === undefined ? '/admin/history' : `/admin/history?since=${last}`));
    if (last === undefined && this.seconds.length > SPANS[0][0]) { // otherwise the service is new, and one minute is enough
      this.#choose(SPANS[1][0]);
    }
    this.draw();
  }

  draw() {
    const {seconds, span} = this;
    if (!this.isShown || seconds.length === 0) {
      return;
    }
    this.#drawTiles();
    this.lines ??= new Lines(find('decisions-chart'), SERIES, {x: time, y: rate});
    const shaded = runs(seconds.fallback, seconds.from);
    this.lines.show({from: seconds.from, span, lists: SERIES.map(({name}) => seconds.total[name]), shaded});
    find('band-legend').hidden = !shaded.some(([, end]) => end > seconds.last - span);
    const overloaded = seconds.sum(seconds.overloaded, span);
    find('overloaded').hidden = overloaded === 0;
    find('overloaded').textContent = `${number(overloaded)} answered as overloaded`;
    this.#drawPolicies();
    this.serviceState.drawStore(span, shaded);
  }

  #drawTiles() {
    const {seconds: {total, ...rest}, span} = this;
    const sums = Object.fromEntries(SERIES.map(({name}) => [name, this.seconds.sum(total[name], span)]));
    const all = sums.allowed + sums.denied;
    const [, words] = SPANS.find(([one]) => one === span);
    const now = (name) => total[name].at(-1) ?? 0;
    this.tiles.total.show(rate(now('allowed') + now('denied')), `${number(all)} in ${words}`);
    this.tiles.allowed.show(rate(now('allowed')), `${number(sums.allowed)}, ${percent(sums.allowed, all)}`);
    this.tiles.denied.show(rate(now('denied')), `${number(sums.denied)}, ${percent(sums.denied, all)}`);
    this.tiles.shadow_denied.show(rate(now('shadow_denied')), `${number(sums.shadow_denied)}, ${percent(sums.shadow_denied, all)}`);
    find('no-decisions').hidden = all > 0;
    find('decisions-chart').setAttribute('aria-label', `Decisions per second over ${words}: ${number(sums.allowed)} allowed, `
      + `${number(sums.denied)} denied, ${number(sums.shadow_denied)} would have been denied by policies in shadow mode`);
    find('decisions-chart').dataset.last = String(rest.from + rest.length - 1);
  }

  #drawPolicies() {
    const {seconds, span} = this;
    const weight = ([, own]) => seconds.sum(own.allowed, span) + seconds.sum(own.denied, span);
    const known = [...seconds.policies].sort((a, b) => weight(b) - weight(a) || a[0].localeCompare(b[0]));
    const shown = known.slice(0, MOST_POLICIES);
    const names = new Set(shown.map(([name]) => name));
    for (const [name, row] of this.rows) {
      if (!names.has(name)) {
        row.remove();
        this.rows.delete(name);
      }
    }
    if (shown.length === 0) {
      find('by-policy').replaceChildren(h('p', {class: 'quiet'}, 'No policy has decided anything in this time range.'));
      return;
    }
    shown.filter(([name]) => !this.rows.has(name)).forEach(([name]) => this.rows.set(name, new PolicyRow(name)));
    const wanted = shown.map(([name]) => this.rows.get(name).element);
    const table = this.#table();
    if (wanted.length !== table.children.length - 1 || wanted.some((element, i) => table.children[i + 1] !== element)) {
      table.replaceChildren(table.firstChild, ...wanted);
    }
    shown.forEach(([name, own]) => this.rows.get(name).show(own, seconds, span));
    this.left.textContent = known.length > shown.length ? `and ${known.length - shown.length} more` : '';
  }

  #table() {
    if (!find('by-policy-rows')) {
      this.left = h('p', {class: 'quiet'});
      find('by-policy').replaceChildren(h('div', {id: 'by-policy-rows', role: 'table', 'aria-labelledby': 'by-policy-title'},
        h('div', {class: 'policy-row heading', role: 'row'},
          h('span', {role: 'columnheader'}, 'policy'), h('span', {class: 'spark', role: 'presentation'}),
          h('span', {class: 'number', role: 'columnheader'}, 'allowed/s'), h('span', {class: 'number', role: 'columnheader'}, 'denied/s'))), this.left);
    }
    return find('by-policy-rows');
  }
}
