/** A form for the attributes of a request: any number of names and values. */

import {h} from './common.js';

export class AttributesForm {
  /** @param send called with {attributes, costs} */
  constructor(send, verb, attributes = {}) {
    this.rows = h('div');
    this.cost = h('input', {inputmode: 'numeric', pattern: '[0-9]*', autocomplete: 'off', 'aria-label': 'Cost in requests'});
    this.element = h('form', {class: 'attributes', onsubmit: (event) => { event.preventDefault(); send(this.asked()); }},
      h('fieldset', {}, h('legend', {}, 'Attributes'), this.rows,
        h('button', {type: 'button', class: 'small', onclick: () => this.#add('', '').querySelector('input').focus()}, 'Add an attribute')),
      h('label', {}, 'Cost in requests (if empty, the policies set it)', this.cost),
      h('div', {class: 'row'}, h('button', {class: 'main', type: 'submit'}, verb)));
    this.fill(attributes);
  }

  fill(attributes) {
    this.rows.replaceChildren();
    const given = Object.entries(attributes);
    (given.length === 0 ? [['', '']] : given).forEach(([name, value]) => this.#add(name, value));
  }

  #add(name, value) {
    const row = h('div', {class: 'pair'},
      h('input', {'aria-label': 'Name of the attribute', value: name, autocomplete: 'off', spellcheck: 'false', placeholder: 'name'}),
      h('input', {'aria-label': 'Value of the attribute', value, autocomplete: 'off', spellcheck: 'false', placeholder: 'value'}),
      h('button', {type: 'button', 'aria-label': 'Remove the attribute', onclick: () => row.remove()}, '×'));
    this.rows.append(row);
    return row;
  }

  asked() {
    const attributes = {};
    for (const row of this.rows.children) {
      const [name, value] = [...row.querySelectorAll('input')].map((input) => input.value);
      if (name !== '') {
        attributes[name] = value;
      }
    }
    return {attributes, ...(this.cost.value === '' ? {} : {costs: {requests: Number(this.cost.value)}})};
  }
}
