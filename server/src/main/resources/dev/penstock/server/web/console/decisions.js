/** Decisions as they are made, told by the service as a stream. */

import {h} from './common.js';
import {events, failureText, mayAsk, Refusal} from './api.js';
import {clock, keyText, number} from './words.js';

const AGAIN_MILLIS = 2000;

/** The word for how it ended: observed where a policy in shadow would have denied. */
export const outcomeOf = (line) => (line.outcome === 'allowed' && line.shadow_denied_by ? 'observed' : line.outcome);

/** Who and what a decision was about, in a line. */
export function subjectOf(line) {
  const who = line.key ? keyText(line.key_type ?? [], line.key) : '';
  return [who, line.policy ? `${line.policy}${line.limit ? ` ${line.limit}` : ''}` : 'no policy', line.route].filter(Boolean).join(' · ');
}

/** The same where it is known who asks, and in which policy. */
export function causeOf(line, policy) {
  const left = line.remaining === undefined ? '' : `${number(line.remaining)} left`;
  return [line.route, line.policy === policy ? '' : line.policy, line.limit, line.reason === 'limit_exceeded' ? '' : line.reason?.replaceAll('_', ' '), left].filter(Boolean).join(' · ');
}

export class DecisionList {
  /**
   * @param isWanted which lines to show; all of the policy where it is left out
   * @param words what to say of a line
   */
  constructor({policy, outcome, isWanted = () => true, words = subjectOf, most = 100}) {
    Object.assign(this, {policy, outcome, isWanted, words, most});
    this.list = h('ol', {class: 'decision-list', 'aria-label': 'Decisions, the newest first'});
    this.state = h('p', {class: 'quiet'}, 'Connecting…');
    this.element = h('div', {class: 'decisions'}, this.list, this.state);
  }

  start() {
    this.turn = {};
    document.addEventListener('visibilitychange', this.#seen);
    this.#follow(this.turn);
  }

  stop() {
    this.turn = undefined;
    document.removeEventListener('visibilitychange', this.#seen);
    this.ending?.abort();
  }

  /** Whoever does not see them is not sent any. */
  #seen = () => {
    if (document.hidden) {
      this.ending?.abort();
    }
  };

  /** Until it is stopped, though it be started again meanwhile. */
  async #follow(turn) {
    const query = new URLSearchParams(Object.entries({policy: this.policy, outcome: this.outcome}).filter(([, value]) => value));
    while (this.turn === turn) {
      try {
        if (mayAsk() && !document.hidden) {
          this.ending = new AbortController();
          for await (const {event, data} of events(`/admin/decisions?${query}`, this.ending.signal)) {
            this.#take(event, JSON.parse(data));
          }
        }
      } catch (failure) {
        const words = failureText(failure);
        if (failure instanceof Refusal) {
          this.state.textContent = words;
        }
      }
      await new Promise((resolve) => { setTimeout(resolve, AGAIN_MILLIS); });
    }
  }

  #take(event, told) {
    if (event === 'open') {
      this.state.textContent = 'Waiting for decisions…';
    } else if (event === 'dropped') {
      this.state.textContent = `${number(told.dropped ?? told)} were left out: too many at once.`;
    } else if (this.isWanted(told)) {
      this.state.textContent = '';
      this.list.prepend(h('li', {}, this.#line(told)));
      while (this.list.children.length > this.most) {
        this.list.lastChild.remove();
      }
    }
  }

  #line(told) {
    const word = outcomeOf(told);
    const words = this.words(told);
    const explain = () => { location.hash = `#why?${new URLSearchParams({decision: JSON.stringify(told)})}`; };
    return h('button', {type: 'button', 'aria-label': `Why: ${word}, ${words}`, onclick: explain},
      h('time', {datetime: told.at}, clock(told.at)), h('span', {class: `verdict-word ${word}`}, word), h('span', {class: 'text'}, words));
  }
}
