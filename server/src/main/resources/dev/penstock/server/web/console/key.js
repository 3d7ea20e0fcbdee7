/** A key: its limits as gauges, its latest decisions, and the changes that an operator can make to it. */

import {h} from './common.js';
import {ask, failureText} from './api.js';
import {change} from './change.js';
import {causeOf, DecisionList} from './decisions.js';
import {Repeated} from './live.js';
import {keyText, moment, number, span} from './words.js';

const LOW = .2;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Returns true if a decision names all parts of the key, whichever limit it reports. */
const isAbout = (line, {parts, key}) => (parts.length !== key.length ? same(line.key, key) : parts.every((part, i) => {
  const at = line.key_type?.indexOf(part) ?? -1;
  return at >= 0 && line.key[at] === key[i];
}));

/**
 * Returns the body that selects the key. The names of rules for Envoy begin with their domain and a slash. Names of
 * policies contain none.
 */
function selection({policy, parts, key}) {
  const domain = policy.split('/')[0].replaceAll('%2F', '/').replaceAll('%25', '%');
  return policy.includes('/')
    ? {domain, descriptor: parts.map((name, i) => ({key: name, value: key[i]}))} : {policy, key};
}

/** A gauge for one limit of the key. Its time counts down between answers. */
class Gauge {
  constructor(limit) {
    this.fill = h('i');
    this.left = h('strong');
    this.free = h('span');
    this.limit = limit;
    const marks = [limit.shadow ? 'in shadow mode' : '', limit.local ? 'local limit' : '', limit.leased ? 'leased' : ''].filter(Boolean);
    this.bar = h('div', {class: 'bar', role: 'meter', 'aria-label': `${limit.policy} ${limit.limit}: remaining`, 'aria-valuemin': 0}, this.fill);
    this.element = h('div', {class: 'gauge'},
      h('div', {class: 'line'}, h('b', {}, limit.limit), h('span', {class: 'left'}, this.left, ` of ${number(limit.capacity)} ${limit.unit} left`)),
      this.bar,
      h('div', {class: 'under'}, h('span', {}, [limit.numbers, ...marks].join(' · ')), this.free));
  }

  /** @param at the service's time, in milliseconds */
  show(limit, at) {
    this.limit = limit;
    const part = limit.capacity === 0 ? 0 : Math.max(0, Math.min(1, limit.remaining / limit.capacity));
    this.fill.style.width = `${100 * part}%`;
    this.bar.className = `bar${limit.remaining <= 0 ? ' none' : part < LOW ? ' low' : ''}`;
    this.bar.setAttribute('aria-valuemax', limit.capacity);
    this.bar.setAttribute('aria-valuenow', Math.max(0, limit.remaining));
    this.left.textContent = number(limit.remaining);
    this.tick(at);
  }

  tick(at) {
    const wait = Date.parse(this.limit.free_at) - at;
    this.free.textContent = this.limit.remaining >= this.limit.capacity ? 'all free' : wait > 0 ? `all free in ${span(wait)}` : 'all free';
  }
}

export class KeyView {
  /** @param changed called after a change to the key */
  constructor(element, changed) {
    this.element = element;
    this.changed = changed;
    this.polled = new Repeated(1000, () => this.#poll(), () => this.of !== undefined);
    setInterval(() => this.#tick(), 1000);
    this.#empty();
  }

  #empty() {
    this.element.replaceChildren(h('h2', {id: 'key-title'}, 'Key'),
      h('p', {class: 'quiet'}, 'No key selected. Choose a key to see its limits and latest decisions, and to reset or block it.'));
  }

  /** @param of {policy, parts, key}; undefined for none */
  show(of) {
    if (same(of, this.of)) {
      this.polled.now(); // polling has stopped if the page asked for a token meanwhile
      return;
    }
    this.of = of;
    this.seen = undefined;
    this.own = [];
    this.decisions?.stop();
    this.decisions = undefined;
    if (of === undefined) {
      this.#empty();
      return;
    }
    this.gauges = new Map();
    this.limits = h('div', {id: 'gauges'}, h('p', {class: 'quiet'}, 'Loading…'));
    this.notes = h('div');
    this.wrong = h('p', {class: 'failed-text', role: 'status'});
    this.reset = h('button', {type: 'button', disabled: true, onclick: () => this.#reset()}, 'Reset…');
    this.block = h('button', {type: 'button', class: 'danger', disabled: true, onclick: () => this.#block()}, 'Block…');
    this.unblock = h('button', {type: 'button', hidden: true, onclick: () => this.#unblock()}, 'Unblock');
    this.decisions = new DecisionList({policy: of.policy, isWanted: (line) => isAbout(line, of), words: (line) => causeOf(line, of.policy), most: 30});
    this.element.replaceChildren(
      h('div', {class: 'head'}, h('h2', {id: 'key-title'}, `Key of ${of.policy}`), h('a', {href: '#who', 'aria-label': 'Close the key'}, 'Close')),
      h('p', {class: 'key-name'}, keyText(of.parts, of.key)), this.notes, this.limits, this.wrong,
      h('div', {class: 'row'}, this.reset, this.block, this.unblock),
      h('h3', {}, 'Latest decisions'), this.decisions.element);
    this.decisions.start();
    this.polled.now();
  }

  async #poll() {
    const {of} = this;
    try {
      const state = await ask('/admin/keys/show', {body: selection(of)});
      if (of === this.of) {
        this.wrong.textContent = '';
        this.#draw(state);
      }
    } catch (failure) {
      if (of === this.of) {
        this.wrong.textContent = failureText(failure);
      }
      throw failure;
    }
  }

  /** Returns the limits whose keys have these parts. Another limit of the policy may have keys of as many parts. */
  #own(limits) {
    const {parts, key} = this.of;
    return parts.length === key.length ? limits.filter((limit) => same(limit.parts, parts)) : limits;
  }

  #draw(state) {
    this.seen = {at: Date.parse(state.at), heard: performance.now()};
    this.own = this.#own(state.limits);
    this.isAll = this.own.length === state.limits.length;
    const names = this.own.map(({limit, numbers}) => `${limit}\n${numbers}`);
    if (names.join('\n\n') !== this.drawn || this.gauges.size === 0) {
      this.drawn = names.join('\n\n');
      this.gauges = new Map(this.own.map((limit, i) => [names[i], new Gauge(limit)]));
      this.limits.replaceChildren(...[...this.gauges.values()].map((gauge) => gauge.element));
    }
    if (this.own.length === 0) {
      this.limits.replaceChildren(h('p', {class: 'quiet'}, 'No limit of the policy uses this key.'));
    }
    [this.reset, this.block].forEach((button) => { button.disabled = this.own.length === 0; });
    this.own.forEach((limit, i) => this.gauges.get(names[i]).show(limit, this.#time()));
    this.decidedBy = state.decided_by;
    this.unblock.hidden = !this.own.some((limit) => limit.blocked_by);
    this.#tick();
  }

  /** Returns the service's current time, estimated from its last answer. */
  #time() {
    return this.seen.at + performance.now() - this.seen.heard;
  }

  #tick() {
    if (!this.seen || this.of === undefined) {
      return;
    }
    this.gauges.forEach((gauge) => gauge.tick(this.#time()));
    const blocks = new Map(); // an operator's block covers all limits of the key: show it once
    this.own.filter(({blocked}) => blocked).forEach(({limit, blocked_by: by, blocked_until: until}) =>
      blocks.set(by ? `by the operator ${by}` : `by ${limit}`, until));
    const notes = [...blocks].map(([by, until]) => h('p', {class: 'blocked-note'},
      `Blocked ${by} until ${moment(until)}, ${span(Date.parse(until) - this.#time())} left.`));
    if (this.decidedBy === 'fallback') {
      notes.push(h('p', {class: 'quiet'}, 'The store is unavailable. These are the numbers of this node only.'));
    }
    this.notes.replaceChildren(...notes);
  }

  /**
   * Returns the bodies that select the key: one for all limits, or one per limit if others have keys of as many parts.
   */
  #meant() {
    const {policy, key} = this.of;
    return this.isAll ? [selection(this.of)] : this.own.map(({limit}) => ({policy, limit, key}));
  }

  /** Makes a change to the key that the question is about, even if the page shows another one by then. */
  async #did({path, ...question}) {
    const {parts, key, policy} = this.of;
    const meant = this.#meant();
    const act = async (millis) => {
      for (const one of meant) {
        await ask(path, {body: {...one, ...(question.lasts ? {for_ms: millis} : {})}});
      }
    };
    if (await change({...question, act, words: `${keyText(parts, key)} in the policy ${policy}. ${question.words}`})) {
      this.polled.now();
      this.changed();
    }
  }

  #reset() {
    return this.#did({
      title: 'Reset this key?', words: 'Its counters go back to zero on all nodes, and blocks by limits are lifted.', verb: 'Reset',
      path: '/admin/keys/reset', done: () => 'The key was reset.',
    });
  }

  #block() {
    return this.#did({
      title: 'Block this key?', words: 'All nodes deny every request that is charged to it.', verb: 'Block', isDangerous: true, lasts: true,
      path: '/admin/keys/block', done: () => 'The key is blocked.',
    });
  }

  #unblock() {
    return this.#did({
      title: 'End the block?', words: 'Its limits decide again.', verb: 'Unblock',
      path: '/admin/keys/unblock', done: () => 'The key is no longer blocked.',
    });
  }
}
