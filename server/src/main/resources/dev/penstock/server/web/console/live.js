/** Repeated calls while the page is visible, and the history that they collect. */

import {isOfTheService, mayAsk} from './api.js';

const KEPT_SECONDS = 600;
const KINDS = ['allowed', 'denied', 'shadow_denied'];
const STORE_KINDS = ['trips', 'errors', 'mean_us', 'slowest_us'];

/** Repeats work at this interval while the page is visible and the work is wanted. Runs never overlap. */
export class Repeated {
  constructor(millis, work, isWanted = () => true) {
    this.millis = millis;
    this.work = work;
    this.isWanted = isWanted;
    this.busy = false;
    document.addEventListener('visibilitychange', () => this.now());
  }

  /** Runs the work now, and repeatedly from then on. */
  async now() {
    clearTimeout(this.timer);
    if (this.busy || document.hidden || !mayAsk() || !this.isWanted()) {
      return;
    }
    this.busy = true;
    try {
      await this.work();
    } catch (failure) {
      if (!isOfTheService(failure)) {
        throw failure;
      }
    } finally { // retry after the interval
      this.busy = false;
      this.timer = setTimeout(() => this.now(), this.millis);
    }
  }
}

const columns = (names, length) => Object.fromEntries(names.map((name) => [name, new Array(length).fill(0)]));

/** The last ten minutes, second by second. Seconds without data are null. */
export class Seconds {
  constructor() {
    this.isPaused = false; // true while no seconds are added
    this.clear();
  }

  clear() {
    this.from = undefined;
    this.length = 0;
    this.total = columns(KINDS, 0);
    this.policies = new Map();
    this.store = null;
    this.fallback = [];
    this.overloaded = [];
  }

  /** The last known second, or undefined if there is none. */
  get last() {
    return this.length === 0 ? undefined : this.from + this.length - 1;
  }

  /** Adds an answer of /admin/history. */
  add(answer) {
    if (this.length > 0 && (answer.from <= this.last || answer.from - this.last > KEPT_SECONDS)) {
      this.clear(); // the clock was set, or the page was hidden for a long time
    }
    if (answer.count === 0) {
      return;
    }
    this.from ??= answer.from;
    this.#append(answer.from - this.from - this.length, () => null);
    this.#append(answer.count, (list, i) => (list === undefined ? 0 : list[i]), answer);
    this.#forget(this.length - KEPT_SECONDS);
  }

  #append(count, value, answer) {
    if (count <= 0) {
      return;
    }
    for (const name of Object.keys(answer?.policies ?? {})) {
      if (!this.policies.has(name)) {
        this.policies.set(name, columns(KINDS, this.length));
      }
    }
    if (answer?.store && this.store === null) {
      this.store = columns(STORE_KINDS, this.length);
    }
    for (let i = 0; i < count; i++) {
      KINDS.forEach((kind) => this.total[kind].push(value(answer?.total[kind], i)));
      this.policies.forEach((own, name) => KINDS.forEach((kind) => own[kind].push(value(answer?.policies[name]?.[kind], i))));
      if (this.store !== null) {
        STORE_KINDS.forEach((kind) => this.store[kind].push(value(answer?.store?.[kind], i)));
      }
      this.fallback.push(value(answer?.fallback, i));
      this.overloaded.push(value(answer?.overloaded, i));
    }
    this.length += count;
  }

  #forget(count) {
    if (count <= 0) {
      return;
    }
    const all = [this.total, ...this.policies.values(), ...(this.store === null ? [] : [this.store])];
    all.forEach((own) => Object.values(own).forEach((list) => list.splice(0, count)));
    this.fallback.splice(0, count);
    this.overloaded.splice(0, count);
    this.from += count;
    this.length -= count;
    for (const [name, own] of this.policies) {
      if (KINDS.every((kind) => own[kind].every((value) => !value))) {
        this.policies.delete(name);
      }
    }
  }

  /** Returns the sum of a list over the last seconds. */
  sum(list, seconds) {
    let sum = 0;
    for (let i = Math.max(0, list.length - seconds); i < list.length; i++) {
      sum += list[i] ?? 0;
    }
    return sum;
  }
}
