/** Who asks most and who is denied most; one of them opened. */

import {h} from './common.js';
import {ask} from './api.js';
import {KeyView} from './key.js';
import {Repeated} from './live.js';
import {failureText} from './standing.js';
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

export class Who {
  constructor() {
    this.isShown = false;
    this.asked = h('ul', {class: 'talker-list'});
    this.denied = h('ul', {class: 'talker-list'});
    this.about = h('p', {class: 'quiet', id: 'talkers-about'});
    this.blocked = h('section', {class: 'card', id: 'blocked', hidden: true});
    this.policy = h('select', {'aria-label': 'Of which policy', onchange: () => this.#draw()}, h('option', {value: ''}, 'all policies'));
    find('talkers').append(
      h('section', {class: 'card', id: 'most-denied'}, h('div', {class: 'head'}, h('h2', {}, 'Denied most'), this.policy), this.denied),
      h('section', {class: 'card', id: 'most-asked'}, h('div', {class: 'head'}, h('h2', {}, 'Ask most')), this.asked, this.about),
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
    this.#fill(this.denied, wanted, 'denied', 'Nobody was denied in this time.');
    this.#fill(this.asked, wanted, 'asked', 'Nobody asked in this time.');
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

  #fill(list, policies, kind, nobody) {
    const all = policies.flatMap((of) => of[kind].map((talker) => ({...talker, policy: of.policy})))
      .sort((a, b) => b.count - a.count).slice(0, SHOWN);
    const focused = [...list.querySelectorAll('button')].indexOf(document.activeElement);
    list.replaceChildren(...(all.length === 0 ? [h('li', {class: 'quiet'}, nobody)] : all.map((talker) => this.#line(talker, kind, all[0].count))));
    list.querySelectorAll('button')[focused]?.focus();
  }

  #line(talker, kind, most) {
    const bar = h('i');
    bar.style.width = `${100 * talker.count / Math.max(1, most)}%`;
    return h('li', {}, h('button', {
      type: 'button', 'aria-current': String(sameKey(talker, this.opened)), onclick: () => { location.hash = addressOf(talker); },
    },
    h('span', {class: 'who-text'}, keyText(talker.parts, talker.key)),
    h('span', {class: 'count'}, h('b', {}, number(talker.count)), h('small', {}, ` ${rate(talker.per_second)}/s`)),
    h('span', {class: 'of'}, talker.policy, talker.over > 0 ? ` · at most ${number(talker.over)} too high` : '', talker.hot ? ' · hot' : ''),
    h('span', {class: `share ${kind}`}, bar)));
  }

  #drawBlocked(blocked) {
    this.blocked.hidden = blocked.length === 0;
    this.blocked.replaceChildren(h('h2', {}, 'Blocked by hand'), h('ul', {class: 'talker-list'}, ...blocked.map((one) => h('li', {},
      h('button', {type: 'button', onclick: () => { location.hash = addressOf(one); }},
        h('span', {class: 'who-text'}, keyText(one.parts, one.key)), h('span', {class: 'count'}, `until ${moment(one.until)}`),
        h('span', {class: 'of'}, `${one.policy} · by ${one.by}`))))));
  }
}
