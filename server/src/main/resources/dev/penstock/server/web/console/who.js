/** Who asks most and who is denied most; one of them opened. */

import {h} from './common.js';
import {ask, failureText} from './api.js';
import {KeyView} from './key.js';
import {Repeated} from './live.js';
import {keyText, moment, number, rate, span} from './words.js';

const SHOWN = 10;
const find = (id) => document.getElementById(id);

/** The address under which a key is shown. */
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

/** Each key once. Where its limits count apart, the largest of their counts is its own; they cannot be added, since one request may be in several. */
function merged(talkers) {
  const byKey = new Map();
  talkers.forEach((talker) => byKey.set(addressOf(talker), [...(byKey.get(addressOf(talker)) ?? []), talker]));
  return [...byKey.values()].map((counts) => {
    counts.sort((a, b) => b.count - a.count);
    return {...counts[0], counts, hot: counts.some(({hot}) => hot)};
  });
}

/** What each limit counted, where that differs. */
const apart = (counts) => (counts.every(({count}) => count === counts[0].count) ? ''
  : counts.map(({policy, counter, count}) => `${counter.startsWith(`${policy}/`) ? counter.slice(policy.length + 1) : counter} ${number(count)}`).join(', '));

/** Those who did something most. A line stays the same element while it is shown, so that nobody clicks beside it. */
class Ranks {
  constructor(kind, nobody) {
    this.kind = kind;
    this.rows = new Map();
    this.nobody = h('li', {class: 'quiet'}, nobody);
    this.element = h('ul', {class: 'talker-list'});
  }

  show(policies, opened) {
    const all = merged(policies.flatMap((of) => of[this.kind].map((talker) => ({...talker, policy: of.policy}))))
      .sort((a, b) => b.count - a.count).slice(0, SHOWN);
    const known = this.rows;
    this.rows = new Map(all.map((talker) => [addressOf(talker), known.get(addressOf(talker)) ?? this.#row(talker)]));
    all.forEach((talker) => this.#fill(this.rows.get(addressOf(talker)), talker, all[0].count, sameKey(talker, opened)));
    const wanted = all.length === 0 ? [this.nobody] : [...this.rows.values()].map(({element}) => element);
    if (wanted.length !== this.element.children.length || wanted.some((one, i) => one !== this.element.children[i])) {
      const focused = this.element.contains(document.activeElement) ? document.activeElement : undefined;
      this.element.replaceChildren(...wanted);
      focused?.focus({preventScroll: true});
    }
  }

  #row(talker) {
    const row = {bar: h('i'), count: h('b'), rate: h('small'), of: h('span', {class: 'of'})};
    row.button = h('button', {type: 'button', onclick: () => { location.hash = addressOf(talker); }},
      h('span', {class: 'who-text'}, keyText(talker.parts, talker.key)), h('span', {class: 'count'}, row.count, row.rate),
      row.of, h('span', {class: `share ${this.kind}`}, row.bar));
    row.element = h('li', {}, row.button);
    return row;
  }

  #fill(row, talker, most, isOpen) {
    row.button.setAttribute('aria-current', String(isOpen));
    row.count.textContent = number(talker.count);
    row.rate.textContent = ` ${rate(talker.per_second)}/s`;
    row.of.textContent = [talker.policy, apart(talker.counts), talker.over > 0 ? `at most ${number(talker.over)} too high` : '', talker.hot ? 'hot' : ''].filter(Boolean).join(' · ');
    row.bar.style.width = `${100 * talker.count / Math.max(1, most)}%`;
  }
}

export class Who {
  constructor() {
    this.isShown = false;
    this.asked = new Ranks('asked', 'Nobody asked in this time.');
    this.denied = new Ranks('denied', 'Nobody was denied in this time.');
    this.about = h('p', {class: 'quiet', id: 'talkers-about'});
    this.blocked = h('section', {class: 'card', id: 'blocked', hidden: true});
    this.policy = h('select', {'aria-label': 'Of which policy', onchange: () => this.#draw()}, h('option', {value: ''}, 'all policies'));
    find('talkers').append(
      h('section', {class: 'card', id: 'most-denied'}, h('div', {class: 'head'}, h('h2', {}, 'Denied most'), this.policy), this.denied.element),
      h('section', {class: 'card', id: 'most-asked'}, h('div', {class: 'head'}, h('h2', {}, 'Ask most')), this.asked.element, this.about),
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
    const where = top.from === 'store' ? `of ${top.nodes === 1 ? 'the one node' : `all ${top.nodes} nodes`} on the store` : 'of this node alone';
    this.about.textContent = `In the last ${span(top.seconds * 1000)}, ${where}.`;
  }

  #choices(policies) {
    const chosen = this.policy.value;
    if (policies.join('\n') !== this.known) {
      this.known = policies.join('\n');
      this.policy.replaceChildren(h('option', {value: ''}, 'all policies'), ...policies.map((policy) => h('option', {value: policy}, policy)));
      this.policy.value = policies.includes(chosen) ? chosen : '';
    }
  }

  /** A key that several limits count is shown once. */
  #drawBlocked(all) {
    const blocked = [...new Map(all.map((one) => [addressOf(one), one])).values()];
    if (JSON.stringify(blocked) === this.blockedText) {
      return;
    }
    this.blockedText = JSON.stringify(blocked);
    this.blocked.hidden = blocked.length === 0;
    this.blocked.replaceChildren(h('h2', {}, 'Blocked by hand'), h('ul', {class: 'talker-list'}, ...blocked.map((one) => h('li', {},
      h('button', {type: 'button', onclick: () => { location.hash = addressOf(one); }},
        h('span', {class: 'who-text'}, keyText(one.parts, one.key)), h('span', {class: 'count'}, `until ${moment(one.until)}`),
        h('span', {class: 'of'}, `${one.policy} · by ${one.by}`))))));
  }
}
