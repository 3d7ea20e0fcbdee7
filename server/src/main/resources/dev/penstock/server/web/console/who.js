/** The section Who: the keys with the most requests and the most denials, and one key in detail. */

import {h} from './common.js';
import {ask, failureText} from './api.js';
import {KeyView} from './key.js';
import {Repeated} from './live.js';
import {keyText, moment, number, rate, span} from './words.js';

const SHOWN = 10;
const find = (id) => document.getElementById(id);

/** Returns the address that shows a key. */
export const addressOf = ({policy, parts, key}) => `#who?${new URLSearchParams({policy, parts: JSON.stringify(parts), key: JSON.stringify(key)})}`;

const sameKey = (a, b) => a?.policy === b?.policy && JSON.stringify(a?.key) === JSON.stringify(b?.key) && JSON.stringify(a?.parts) === JSON.stringify(b?.parts);

function read(query) {
  try {
    const [parts, key] = [JSON.parse(query.get('parts') ?? '[]'), JSON.parse(query.get('key') ?? 'null')];
    return query.has('policy') && Array.isArray(key) && Array.isArray(parts) ? {policy: query.get('policy'), parts, key} : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lists each key once. If its limits have separate counts, uses the largest one. Adding them would count a request
 * several times.
 */
function merged(topKeys) {
  const byKey = new Map();
  topKeys.forEach((topKey) => byKey.set(addressOf(topKey), [...(byKey.get(addressOf(topKey)) ?? []), topKey]));
  return [...byKey.values()].map((counts) => {
    counts.sort((a, b) => b.count - a.count);
    return {...counts[0], counts, hot: counts.some(({hot}) => hot)};
  });
}

/** Lists the counts of the limits if they differ. */
const apart = (counts) => (counts.every(({count}) => count === counts[0].count) ? ''
  : counts.map(({policy, counter, count}) => `${counter.startsWith(`${policy}/`) ? counter.slice(policy.length + 1) : counter} ${number(count)}`).join(', '));

/**
 * The top keys by requests or denials. The row of a key stays the same element while it is shown, so that a click hits
 * the intended key.
 */
class Ranks {
  constructor(kind, nobody) {
    this.kind = kind;
    this.rows = new Map();
    this.nobody = h('li', {class: 'quiet'}, nobody);
    this.element = h('ul', {class: 'top-key-list'});
  }

  show(policies, opened) {
    const all = merged(policies.flatMap((of) => of[this.kind].map((topKey) => ({...topKey, policy: of.policy}))))
      .sort((a, b) => b.count - a.count).slice(0, SHOWN);
    const known = this.rows;
    this.rows = new Map(all.map((topKey) => [addressOf(topKey), known.get(addressOf(topKey)) ?? this.#row(topKey)]));
    all.forEach((topKey) => this.#fill(this.rows.get(addressOf(topKey)), topKey, all[0].count, sameKey(topKey, opened)));
    const wanted = all.length === 0 ? [this.nobody] : [...this.rows.values()].map(({element}) => element);
    if (wanted.length !== this.element.children.length || wanted.some((one, i) => one !== this.element.children[i])) {
      const focused = this.element.contains(document.activeElement) ? document.activeElement : undefined;
      this.element.replaceChildren(...wanted);
      focused?.focus({preventScroll: true});
    }
  }

  #row(topKey) {
    const row = {bar: h('i'), count: h('b'), rate: h('small'), of: h('span', {class: 'of'})};
    row.button = h('button', {type: 'button', onclick: () => { location.hash = addressOf(topKey); }},
      h('span', {class: 'who-text'}, keyText(topKey.parts, topKey.key)), h('span', {class: 'count'}, row.count, row.rate),
      row.of, h('span', {class: `share ${this.kind}`}, row.bar));
    row.element = h('li', {}, row.button);
    return row;
  }

  #fill(row, topKey, most, isOpen) {
    row.button.setAttribute('aria-current', String(isOpen));
    row.count.textContent = number(topKey.count);
    row.rate.textContent = ` ${rate(topKey.per_second)}/s`;
    row.of.textContent = [topKey.policy, apart(topKey.counts), topKey.over > 0 ? `overcounted by at most ${number(topKey.over)}` : '', topKey.hot ? 'hot' : ''].filter(Boolean).join(' · ');
    row.bar.style.width = `${100 * topKey.count / Math.max(1, most)}%`;
  }
}

export class Who {
  constructor() {
    this.isShown = false;
    this.asked = new Ranks('asked', 'No requests in this time.');
    this.denied = new Ranks('denied', 'No denials in this time.');
    this.about = h('p', {class: 'quiet', id: 'top-keys-about'}, 'Loading…');
    this.blocked = h('section', {class: 'card', id: 'blocked', hidden: true});
    this.policy = h('select', {'aria-label': 'Filter by policy', onchange: () => this.#draw()}, h('option', {value: ''}, 'all policies'));
    find('top-keys').append(
      h('section', {class: 'card', id: 'most-denied'}, h('div', {class: 'head'}, h('h2', {}, 'Most denials'), this.policy), this.denied.element),
      h('section', {class: 'card', id: 'most-asked'}, h('div', {class: 'head'}, h('h2', {}, 'Most requests')), this.asked.element, this.about),
      this.blocked);
    this.key = new KeyView(find('key'), () => this.polled.now());
    this.polled = new Repeated(2000, () => this.#poll(), () => this.isShown);
  }

  show(query) {
    this.isShown = true;
    const wanted = read(query);
    const isNew = wanted !== undefined && !sameKey(wanted, this.opened);
    this.opened = wanted;
    find('who-columns').classList.toggle('open', wanted !== undefined);
    this.key.show(wanted);
    if (isNew) {
      find('key').focus({preventScroll: true});
      find('key').scrollIntoView({block: 'nearest'});
    }
    this.#draw();
    this.polled.now();
  }

  hide() {
    this.isShown = false;
    this.opened = undefined;
    this.key.show(undefined);
  }

  async #poll() {
    try {
      const [top, {blocked}] = await Promise.all([ask(`/admin/keys/top?limit=${SHOWN}`), ask('/admin/keys/blocked')]);
      this.top = top;
      this.#drawBlocked(blocked);
      this.#draw();
    } catch (failure) {
      this.about.textContent = failureText(failure);
      throw failure;
    }
  }

  #draw() {
    const {top} = this;
    if (!top) {
      return;
    }
    this.#choices(top.policies.map(({policy}) => policy));
    const wanted = top.policies.filter(({policy}) => this.policy.value === '' || this.policy.value === policy);
    this.denied.show(wanted, this.opened);
    this.asked.show(wanted, this.opened);
    const where = top.from === 'store' ? `${top.nodes === 1 ? 'the only node' : `all ${top.nodes} nodes`} on this store` : 'this node only';
    this.about.textContent = `Last ${span(top.seconds * 1000)}, ${where}.`;
  }

  #choices(policies) {
    const chosen = this.policy.value;
    if (policies.join('\n') !== this.known) {
      this.known = policies.join('\n');
      this.policy.replaceChildren(h('option', {value: ''}, 'all policies'), ...policies.map((policy) => h('option', {value: policy}, policy)));
      this.policy.value = policies.includes(chosen) ? chosen : '';
    }
  }

  /** Shows the blocked keys, each once even if several limits count it. */
  #drawBlocked(all) {
    const blocked = [...new Map(all.map((one) => [addressOf(one), one])).values()];
    if (JSON.stringify(blocked) === this.blockedText) {
      return;
    }
    this.blockedText = JSON.stringify(blocked);
    this.blocked.hidden = blocked.length === 0;
    this.blocked.replaceChildren(h('h2', {}, 'Blocked by operators'), h('ul', {class: 'top-key-list'}, ...blocked.map((one) => h('li', {},
      h('button', {type: 'button', onclick: () => { location.hash = addressOf(one); }},
        h('span', {class: 'who-text'}, keyText(one.parts, one.key)), h('span', {class: 'count'}, `until ${moment(one.until)}`),
        h('span', {class: 'of'}, `${one.policy} · by ${one.by}`))))));
  }
}
