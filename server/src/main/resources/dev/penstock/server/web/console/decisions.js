/** A list of live decisions, which the service streams. */

import {h} from './common.js';
import {events, failureText, mayAsk, Refusal} from './api.js';
import {clock, keyText, number} from './words.js';

const AGAIN_MILLIS = 2000;

/** Returns the word for the outcome: shadow if a shadow policy would have denied. */
export const outcomeOf = (line) => (line.outcome === 'allowed' && line.shadow_denied_by ? 'shadow' : line.outcome);

/** Describes the subject of a decision in one line. */
export function subjectOf(line) {
  const who = line.key ? keyText(line.key_type ?? [], line.key) : '';
  return [who, line.policy ? `${line.policy}${line.limit ? ` ${line.limit}` : ''}` : 'no policy', line.route].filter(Boolean).join(' · ');
}

/** Describes a decision in one line if its key and policy are already shown. */
export function causeOf(line, policy) {
  const left = line.remaining === undefined ? '' : `${number(line.remaining)} left`;
  return [line.route, line.policy === policy ? '' : line.policy, line.limit, line.reason === 'limit_exceeded' ? '' : line.reason?.replaceAll('_', ' '), left].filter(Boolean).join(' · ');
}

export class DecisionList {
  /**
   * @param isWanted selects the lines to show; by default, all of the policy
   * @param words returns the text for a line
   */
  constructor({policy, outcome, isWanted = () => true, words = subjectOf, most = 100}) {
    Object.assign(this, {policy, outcome, isWanted, words, most});
    this.list = h('ol', {class: 'decision-list', 'aria-label': 'Decisions, newest first'});
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

  /** Ends the stream while the page is hidden. */
  #seen = () => {
    if (document.hidden) {
      this.ending?.abort();
    }
  };

  /** Follows the stream until it is stopped. A later start has a turn of its own. */
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
      this.state.textContent = `${number(told.dropped ?? told)} decisions were dropped: too many at once.`;
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
