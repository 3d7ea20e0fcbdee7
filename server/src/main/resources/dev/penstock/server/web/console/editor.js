/** An editor for policies that marks errors at their lines. */

import {h} from './common.js';
import {ask, failureText} from './api.js';
import {place} from './words.js';

const PAUSE_MILLIS = 350;

export class Editor {
  constructor() {
    this.text = h('textarea', {id: 'draft-text', 'aria-label': 'Policies in YAML', spellcheck: 'false', autocomplete: 'off', wrap: 'off', placeholder: 'version: 1'});
    this.behind = h('pre', {class: 'behind', 'aria-hidden': 'true'});
    this.gutter = h('pre', {class: 'gutter', 'aria-hidden': 'true'}, '1');
    this.state = h('p', {class: 'check-state', role: 'status'});
    this.list = h('ul', {class: 'errors', id: 'draft-errors'});
    this.element = h('div', {}, h('div', {class: 'editor'}, this.gutter, h('div', {class: 'area'}, this.behind, this.text)), this.state, this.list);
    this.text.addEventListener('input', () => this.#changed());
    this.text.addEventListener('scroll', () => this.#follow());
    this.file = undefined;
  }

  /** @param file the file that the text replaces in the check; undefined checks the text alone */
  open(text, file) {
    this.file = file;
    this.text.value = text;
    this.text.scrollTop = 0;
    this.#changed();
  }

  get isEmpty() {
    return this.text.value === '';
  }

  #changed() {
    clearTimeout(this.waiting);
    this.#mark([]);
    this.waiting = setTimeout(() => this.#check(), PAUSE_MILLIS);
  }

  #follow() {
    this.behind.scrollTop = this.text.scrollTop;
    this.behind.scrollLeft = this.text.scrollLeft;
    this.gutter.scrollTop = this.text.scrollTop;
  }

  async #check() {
    const text = this.text.value;
    if (text === '') {
      this.#say('', '');
      return;
    }
    try {
      const query = this.file === undefined ? '' : `?file=${encodeURIComponent(this.file.replace(/^(.*\/)?\.\.\//, ''))}`;
      const checked = await ask(`/admin/policies/check${query}`, {body: text, type: 'application/yaml'});
      if (text !== this.text.value) {
        return;
      }
      this.#mark(checked.errors ?? []);
      if (checked.valid) {
        this.#say('good', `Valid: ${checked.policies} policies, ${checked.limits} limits, hash ${checked.hash}.`);
      } else {
        this.#say('bad', `${checked.errors.length} ${checked.errors.length === 1 ? 'error' : 'errors'}. The service would reject this text.`);
      }
    } catch (failure) {
      this.#say('bad', failureText(failure));
    }
  }

  #say(kind, text) {
    this.state.className = `check-state ${kind}`;
    this.state.textContent = text;
  }

  /** Shows errors at the end of their lines, and in a list that leads to them. */
  #mark(errors) {
    const mine = errors.filter(({file}) => file === (this.file ?? 'body'));
    const byLine = new Map();
    mine.forEach((error) => byLine.set(error.line, [...(byLine.get(error.line) ?? []), error.problem]));
    const lines = this.text.value.split('\n');
    this.behind.replaceChildren(...lines.flatMap((line, i) => {
      const wrong = byLine.get(i + 1);
      return [wrong ? h('span', {class: 'wrong', 'data-line': i + 1}, line, h('span', {class: 'note'}, wrong.join('; '))) : line, '\n'];
    }));
    this.gutter.replaceChildren(...lines.flatMap((_, i) => [byLine.has(i + 1) ? h('span', {class: 'wrong'}, `${i + 1}`) : `${i + 1}`, '\n']), '\n\n');
    this.list.replaceChildren(...errors.map((error) => h('li', {}, h('button', {type: 'button', onclick: () => this.#go(error)},
      h('div', {class: 'where'}, place(error)), h('div', {}, error.path ? `${error.path}: ${error.problem}` : error.problem)))));
    this.#follow();
  }

  #go({file, line, column}) {
    if (file !== (this.file ?? 'body')) {
      return;
    }
    const lines = this.text.value.split('\n');
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    this.text.focus();
    this.text.setSelectionRange(at, at);
    const height = this.text.scrollHeight / lines.length;
    this.text.scrollTop = Math.max(0, (line - 4) * height);
  }
}
