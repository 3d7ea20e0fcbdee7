/**
 * The section Policies: the files in use, the traffic of each policy, a playground, and an editor that checks
 * changes.
 */

import {h} from './common.js';
import {ask, failureText} from './api.js';
import {AttributesForm} from './attributes.js';
import {Editor} from './editor.js';
import {explained, matchesView, othersView, verdictView} from './explanation.js';
import {Repeated} from './live.js';
import {clock, number, percent} from './words.js';

const TRAFFIC_SECONDS = 300;
const find = (id) => document.getElementById(id);

/** Returns the line that names a policy, or -1 if it is written in another way. */
function lineOf(name, text) {
  const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = new RegExp(`(^|[\\s{-])name:\\s*(["']?)${quoted}\\2\\s*([,}#]|$)`);
  return text.split('\n').findIndex((line) => named.test(line));
}

/** Returns how a candidate compares with its live policy. */
function comparison({compared, stricter, looser}) {
  return compared === 0 ? 'nothing compared since the start'
    : `${number(compared)} compared since the start: ${number(stricter)} stricter (${percent(stricter, compared)}), `
      + `${number(looser)} looser (${percent(looser, compared)})`;
}

/** Returns how many requests of a policy lacked an attribute that it counts by. */
function lack({attribute, requests, missing}) {
  return h('p', {class: missing * 2 > requests ? 'failed-text lack' : 'quiet lack'},
    `${number(missing)} of ${number(requests)} requests since the start had no ${attribute}, so they share one account.`);
}

export class PoliciesInForce {
  constructor(seconds) {
    this.seconds = seconds;
    this.files = [];
    this.until = h('p', {class: 'quiet', id: 'traffic-until'});
    this.editor = new Editor();
    find('editor').append(this.editor.element);
    find('copy-source').addEventListener('click', () => this.#copy());
    find('draft-file').addEventListener('change', () => this.#copy());
    this.form = new AttributesForm((asked) => this.#play(asked), 'Try it', {route: '/', user: 'alice'});
    find('playground-form').append(this.form.element);
    this.polled = new Repeated(5000, () => this.#poll(), () => this.isShown);
    this.moved = new Repeated(1000, async () => this.#drawTraffic(), () => this.isShown);
  }

  show() {
    this.isShown = true;
    this.polled.now();
    this.moved.now();
  }

  hide() {
    this.isShown = false;
  }

  async #poll() {
    try {
      const [source, explanation, {candidates}, {missing}] = await Promise.all([ask('/admin/policies/source'),
        ask('/admin/explain', {body: {attributes: {}}}), ask('/admin/candidates'), ask('/admin/missing')]);
      this.missing = missing;
      this.names = explanation.policies;
      this.candidates = new Map(candidates.map((each) => [each.policy, each]));
      if (source.hash !== this.hash || source.version !== this.version) {
        this.hash = source.hash;
        this.version = source.version;
        this.files = source.files;
        this.#drawSource();
      }
      this.#drawTraffic();
    } catch (failure) {
      if (this.files.length === 0) {
        find('source').replaceChildren(h('p', {class: 'failed-text'}, failureText(failure)));
      }
      throw failure;
    }
  }

  #drawSource() {
    find('source-version').textContent = `version ${this.version}, ${this.hash}`;
    this.drawn = this.files.map(({name, text}) => {
      const lines = text.replace(/\n$/, '').split('\n').map((line) => h('li', {}, h('span', {}, line)));
      return {name, text, lines, element: h('div', {}, h('h3', {}, name),
        h('div', {class: 'source', tabindex: 0, role: 'region', 'aria-label': `Contents of ${name}`}, h('ol', {}, ...lines)))};
    });
    find('source').replaceChildren(...this.drawn.map(({element}) => element));
    find('draft-file').replaceChildren(...this.files.map(({name}, i) => h('option', {value: i}, name)));
    find('draft-file').hidden = this.files.length < 2;
    if (this.editor.isEmpty) {
      this.#copy();
    }
  }

  #copy() {
    const file = this.files[Number(find('draft-file').value)];
    if (file) {
      this.editor.open(file.text, file.name);
    }
  }

  #drawTraffic() {
    const {names, seconds} = this;
    if (!names) {
      return;
    }
    if (names.length === 0) {
      find('traffic').replaceChildren(h('p', {class: 'quiet'}, 'No policy is in use.'));
      return;
    }
    const key = JSON.stringify(names.map(({name, role}) => [name, role])) + this.hash;
    if (key !== this.listed) {
      this.listed = key;
      this.figures = new Map(names.map(({name}) => [name, h('span', {class: 'figures'})]));
      this.lacks = new Map(names.map(({name}) => [name, h('div', {class: 'lacks'})]));
      find('traffic').replaceChildren(
        h('div', {}, ...names.map(({name, role}) => h('div', {class: 'traffic-row'}, this.#title(name, role), this.figures.get(name), this.lacks.get(name)))),
        this.until);
    }
    this.until.textContent = seconds.isPaused && seconds.last !== undefined
      ? `This node only, 5 minutes until ${clock(seconds.last * 1000)} (paused in Now).` : 'This node only, last 5 minutes.';
    for (const [name, figures] of this.figures) {
      this.lacks.get(name).replaceChildren(...this.missing.filter(({policy}) => policy === name).map(lack));
      if (this.candidates.has(name)) {
        figures.textContent = comparison(this.candidates.get(name));
        continue;
      }
      const own = seconds.policies.get(name);
      const [allowed, denied, shadow] = ['allowed', 'denied', 'shadow_denied'].map((kind) => (own ? seconds.sum(own[kind], TRAFFIC_SECONDS) : 0));
      figures.textContent = allowed + denied + shadow === 0 ? 'none'
        : [`${number(allowed)} allowed`, `${number(denied)} denied`, shadow > 0 ? `${number(shadow)} shadow` : ''].filter(Boolean).join(', ');
    }
  }

  /** Returns the name, as a link to its line if that was found. */
  #title(name, role) {
    const at = this.drawn.map((file) => ({file, line: lineOf(name, file.text)})).find(({line}) => line >= 0);
    const mark = role === 'enforce' ? '' : h('span', {class: 'quiet'}, ` ${role}`);
    return h('span', {class: 'title'}, at ? h('button', {type: 'button', class: 'link', onclick: () => this.#point(at)}, name) : name, mark);
  }

  #point({file, line}) {
    this.drawn.forEach(({lines}) => lines.forEach((one) => one.classList.remove('pointed')));
    file.lines[line].classList.add('pointed');
    file.lines[line].scrollIntoView({block: 'center'});
  }

  async #play(asked) {
    try {
      const all = await explained(asked);
      const matched = matchesView(all);
      find('playground-answer').replaceChildren(h('h3', {}, 'Result'), verdictView(all),
        ...(matched.length === 0 ? [h('p', {class: 'quiet'}, 'No policy matches.')] : matched), othersView(all) ?? '',
        h('p', {}, h('a', {href: `#why?${new URLSearchParams({asked: JSON.stringify(asked)})}`}, 'Step by step')));
    } catch (failure) {
      find('playground-answer').replaceChildren(h('p', {class: 'failed-text'}, failureText(failure)));
    }
  }
}
