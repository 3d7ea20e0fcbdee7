/** One key: its limits as gauges, when it will be free, what was decided about it, and what can be done to it. */

import {h} from './common.js';
import {ask, failureText} from './api.js';
import {change} from './change.js';
import {causeOf, DecisionList} from './decisions.js';
import {Repeated} from './live.js';
import {keyText, moment, number, span} from './words.js';

const LOW = .2;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Whether a decision names all that the key is made of, whichever limit mattered most in it. */
const isAbout = (line, {parts, key}) => (parts.length !== key.length ? same(line.key, key) : parts.every((part, i) => {
  const at = line.key_type?.indexOf(part) ?? -1;
  return at >= 0 && line.key[at] === key[i];
}));

/** A limit of the key. Its time counts down between answers. */
class Gauge {
  constructor(limit) {
    this.fill = h('i');
    this.left = h('strong');
    this.free = h('span');
    this.limit = limit;
    const marks = [limit.shadow ? 'only watches' : '', limit.local ? 'of this node' : '', limit.leased ? 'drawn ahead' : ''].filter(Boolean);
    this.bar = h('div', {class: 'bar', role: 'meter', 'aria-label': `${limit.policy} ${limit.limit}: what is left`, 'aria-valuemin': 0}, this.fill);
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
  /** @param changed called when something was done to the key */
  constructor(element, changed) {
    this.element = element;
    this.changed = changed;
    this.polled = new Repeated(1000, () => this.#poll(), () => this.of !== undefined);
    setInterval(() => this.#tick(), 1000);
    this.#empty();
  }

  #empty() {
    this.element.replaceChildren(h('h2', {id: 'key-title'}, 'A key'),
      h('p', {class: 'quiet'}, 'Choose one: its limits, when it will be free, its latest decisions, and what can be done to it.'));
  }

  /** @param of {policy, parts, key}; undefined for none */
  show(of) {
    if (same(of, this.of)) {
      this.polled.now(); // it stands still where a token was asked for meanwhile
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
    this.limits = h('div', {id: 'gauges'}, h('p', {class: 'quiet'}, 'Asking…'));
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
      const state = await ask('/admin/keys/show', {body: {policy: of.policy, key: of.key}});
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

  /** Those that count by the same parts, where these are told: another limit of the policy may have a key of as many. */
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
      this.limits.replaceChildren(h('p', {class: 'quiet'}, 'No limit of the policy counts by this.'));
    }
    [this.reset, this.block].forEach((button) => { button.disabled = this.own.length === 0; });
    this.own.forEach((limit, i) => this.gauges.get(names[i]).show(limit, this.#time()));
    this.toldBy = state.told_by;
    this.unblock.hidden = !this.own.some((limit) => limit.blocked_by);
    this.#tick();
  }

  /** The service's time now, as far as it is known. */
  #time() {
    return this.seen.at + performance.now() - this.seen.heard;
  }

  #tick() {
    if (!this.seen || this.of === undefined) {
      return;
    }
    this.gauges.forEach((gauge) => gauge.tick(this.#time()));
    const blocks = new Map(); // by hand all limits of the key are, one after the other
    this.own.filter(({blocked}) => blocked).forEach(({limit, blocked_by: by, blocked_until: until}) =>
      blocks.set(by ? `by hand, by ${by}` : `by ${limit}`, until));
    const notes = [...blocks].map(([by, until]) => h('p', {class: 'blocked-note'},
      `Blocked ${by}, until ${moment(until)}, ${span(Date.parse(until) - this.#time())} left.`));
    if (this.toldBy === 'fallback') {
      notes.push(h('p', {class: 'quiet'}, 'Told by this node alone: the store is away.'));
    }
    this.notes.replaceChildren(...notes);
  }

  /** What is meant by the key: all limits at once, unless some have other keys of as many parts. */
  #meant() {
    const {policy, key} = this.of;
    return this.isAll ? [{policy, key}] : this.own.map(({limit}) => ({policy, limit, key}));
  }

  /** What is done is done to the key that the question was about, whatever is shown by then. */
  async #did({path, ...question}) {
    const {parts, key, policy} = this.of;
    const meant = this.#meant();
    const act = async (millis) => {
      for (const one of meant) {
        await ask(path, {body: {...one, ...(question.lasts ? {for_ms: millis} : {})}});
      }
    };
    if (await change({...question, act, words: `${keyText(parts, key)}, of the policy ${policy}. ${question.words}`})) {
      this.polled.now();
      this.changed();
    }
  }

  #reset() {
    return this.#did({
      title: 'Forget what was counted?', words: 'Its limits start anew, on all nodes, and blocks by limits are lifted.', verb: 'Reset',
      path: '/admin/keys/reset', done: () => 'The key was reset.',
    });
  }

  #block() {
    return this.#did({
      title: 'Block this key?', words: 'Whatever is charged to it is denied, on all nodes.', verb: 'Block', isDangerous: true, lasts: true,
      path: '/admin/keys/block', done: () => 'The key is blocked.',
    });
  }

  #unblock() {
    return this.#did({
      title: 'End the block?', words: 'Its limits decide again.', verb: 'Unblock',
      path: '/admin/keys/unblock', done: () => 'The key is not blocked any more.',
    });
  }
}
