/** The section Why: explains a single decision step by step. */

import {h} from './common.js';
import {ask, failureText} from './api.js';
import {AttributesForm} from './attributes.js';
import {DecisionList, outcomeOf} from './decisions.js';
import {explained, isDefault, matchesView, othersView, verdictView} from './explanation.js';
import {addressOf} from './who.js';
import {keyText, moment, number, span} from './words.js';

const find = (id) => document.getElementById(id);
const step = (title, ...content) => h('li', {}, h('h3', {}, title), ...content.filter((one) => one !== null));
const chips = (pairs) => h('ul', {class: 'chips'}, ...pairs.map(([name, value]) => h('li', {}, `${name}=${value}`)));

const DECIDERS = {
  store: 'the store', lease: 'leased permits, in this process', deny_cache: 'the deny cache, in this process',
  new_key_budget: 'this node, because the policy had used up redis_new_keys for this second',
  fallback: 'the fallback, because the store did not answer', local_limit: 'a local limit, in this process', policy: 'the policies alone, without counting',
  node: 'this node, because it was overloaded',
};

export class Why {
  constructor() {
    this.form = new AttributesForm((asked) => { location.hash = `#why?${new URLSearchParams({asked: JSON.stringify(asked)})}`; this.#explain(asked); },
      'Explain', {route: '/', user: 'alice'});
    find('why-form').append(this.form.element);
    this.#follow('');
    find('recent-outcome').addEventListener('change', (event) => {
      this.recent.stop();
      this.#follow(event.target.value);
      this.recent.start();
    });
  }

  #follow(outcome) {
    this.recent = new DecisionList({outcome, most: 60});
    find('recent').replaceChildren(this.recent.element);
  }

  show(query) {
    if (!this.isShown) {
      this.isShown = true;
      this.recent.start();
    }
    const text = query.toString();
    if (text === this.drawn || text === '') {
      return;
    }
    this.drawn = text;
    try {
      if (query.has('decision')) {
        this.#decided(JSON.parse(query.get('decision')));
      } else if (query.has('asked')) {
        const asked = JSON.parse(query.get('asked'));
        this.form.fill(asked.attributes);
        this.#explain(asked);
      }
    } catch {
      this.#say(h('p', {class: 'failed-text'}, 'The address of this page contains nothing to explain.'));
    }
  }

  hide() {
    this.isShown = false;
    this.recent.stop();
  }

  #say(...content) {
    find('why-answer').replaceChildren(...content);
    if (find('why-answer').getBoundingClientRect().top > innerHeight) {
      find('why-answer-card').scrollIntoView();
    }
  }

  async #explain(asked) {
    try {
      const all = await explained(asked);
      const {ruling, plan} = all.explanation;
      const matched = matchesView(all);
      this.#say(h('ol', {class: 'steps'},
        step('The request', chips(Object.entries(asked.attributes)), asked.costs ? h('p', {class: 'quiet'}, `at a cost of ${asked.costs.requests} requests`) : null),
        step('Lists', h('p', {}, ruling && !isDefault(ruling) ? `${ruling.by} decides: ${ruling.verdict}. No limit is checked.` : `No list matches: ${ruling ? 'the default decides' : 'limits decide'}.`)),
        step('Policies', plan ? h('p', {}, `The tenant has the plan ${plan}.`) : null,
          matched.length === 0 ? h('p', {}, 'No policy matches.') : null, ...matched, othersView(all)),
        step('Result now', verdictView(all),
          h('p', {class: 'quiet'}, `Counters reported by ${DECIDERS[all.keyStates.decided_by] ?? all.keyStates.decided_by}; policies ${all.explanation.hash}. Nothing was charged.`))));
    } catch (failure) {
      this.#say(h('p', {class: 'failed-text'}, failureText(failure)));
    }
  }

  /** Shows a past decision: its own data, and the state of its key since then. */
  async #decided(line) {
    const word = outcomeOf(line);
    const parts = line.key_type ?? [];
    const known = {...(line.route ? {route: line.route} : {})};
    parts.forEach((part, i) => { if (/^[\w.-]+$/.test(part) && (line.key[i] ?? '') !== '') { known[part] = line.key[i]; } });
    this.form.fill(known);
    const since = h('div', {}, h('p', {class: 'quiet'}, 'Loading…'));
    const of = line.key ? {policy: line.policy, parts, key: line.key} : undefined;
    this.#say(h('ol', {class: 'steps'},
      step('The decision', h('div', {class: `verdict ${line.outcome}`}, h('b', {}, word),
        h('span', {}, `${line.reason ? `${line.reason.replaceAll('_', ' ')}, ` : ''}at ${moment(line.at)}`)),
      line.shadow_denied_by ? h('p', {}, `In shadow, ${line.shadow_denied_by.join(', ')} would have denied it.`) : null),
      step('Match', h('p', {}, line.policy ? 'The limit that mattered most: ' : 'No policy matched.', line.policy ? h('b', {}, `${line.policy} ${line.limit ?? ''}`) : ''),
        line.route ? h('p', {class: 'quiet'}, `on the route ${line.route}`) : null),
      of ? step('Key', h('p', {}, h('a', {href: addressOf(of)}, keyText(parts, line.key)))) : '',
      line.cost === undefined ? '' : step('Cost', h('p', {}, `The request cost ${number(line.cost)} (${line.unit})${line.remaining === undefined ? '' : `; ${number(line.remaining)} were left`}.`)),
      step('Decided by', h('p', {}, `${DECIDERS[line.decided_by] ?? line.decided_by}, with version ${line.version ?? '?'} of the policies`, line.hash ? ` (${line.hash})` : '', '.')),
      of ? step('State of the key now', since) : ''));
    if (of) {
      try {
        const state = await ask('/admin/keys/show', {body: {policy: of.policy, limit: line.limit, key: of.key}});
        since.replaceChildren(...state.limits.map((limit) => h('p', {}, `${limit.limit} (${limit.numbers}): ${number(limit.remaining)} of ${number(limit.capacity)} left`
          + (limit.remaining < limit.capacity ? `, all free in ${span(Date.parse(limit.free_at) - Date.parse(state.at))}` : '') + (limit.blocked ? ', blocked' : ''))));
      } catch (failure) {
        since.replaceChildren(h('p', {class: 'failed-text'}, failureText(failure)));
      }
    }
  }
}
