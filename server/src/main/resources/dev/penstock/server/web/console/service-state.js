/** The state of the service: its store, the policies in use, the nodes, and shadow for the whole service. */

import {h} from './common.js';
import {ask} from './api.js';
import {change, showMessage} from './change.js';
import {Repeated} from './live.js';
import {Lines} from './lines.js';
import {clock, micros, moment, number, place, rate, span} from './words.js';

const entries = (figures) => Object.entries(figures ?? {});
const FAILURES_SHOWN = 5;
const find = (id) => document.getElementById(id);
const pill = (kind, text) => h('span', {class: `pill ${kind}`}, text);
const facts = (pairs) => h('dl', {class: 'facts'}, ...pairs.filter(Boolean).flatMap(([term, told]) => [h('dt', {}, term), h('dd', {}, told)]));

export const errorList = (errors) => h('ul', {class: 'errors'}, ...errors.map((error) => h('li', {},
  h('div', {class: 'where'}, place(error)), h('div', {}, error.path ? `${error.path}: ${error.problem}` : error.problem))));

const LATENCY = [
  {name: 'mean_us', label: 'mean', color: 'accent'},
  {name: 'slowest_us', label: 'slowest', color: 'slow'},
];

export class ServiceState {
  constructor(seconds) {
    this.seconds = seconds;
    this.span = 0;
    this.polls = [
      new Repeated(1000, async () => this.#status(await ask('/admin/status'))),
      new Repeated(2000, async () => this.#shadow(await ask('/admin/shadow'))),
      new Repeated(5000, async () => this.#policies(await ask('/admin/policies'))),
      new Repeated(3000, async () => this.#nodes(await ask('/admin/nodes'))),
    ];
    this.store = {facts: h('div'), canvas: h('canvas', {role: 'img', 'aria-label': 'Latency of the store'})};
    this.store.chart = h('div', {class: 'canvas middling', hidden: true}, this.store.canvas);
    this.store.state = h('span');
    find('store').append(h('div', {class: 'head'}, h('h2', {id: 'store-title'}, 'Store'), this.store.state), this.store.facts, this.store.chart);
    find('policies-in-use').append(h('h2', {id: 'policies-in-use-title'}, 'Policies in use'), h('p', {class: 'quiet'}, 'Loading…'));
    find('nodes').append(h('h2', {id: 'nodes-title'}, 'Nodes'), h('p', {class: 'quiet'}, 'Loading…'));
  }

  start() {
    this.polls.forEach((poll) => poll.now());
  }

  #status(status) {
    this.status = status;
    find('node').textContent = status.node;
    const {store} = status;
    this.store.state.replaceChildren(store.up ? pill('good', 'up') : pill('bad', 'unavailable'));
    this.#storeFacts();
    this.#inForce();
  }

  /** Shows the store and its activity in the last second. */
  #storeFacts() {
    const {store} = this.status ?? {};
    if (!store) {
      return;
    }
    const since = store.in_fallback_since;
    const trips = this.seconds.store;
    const last = (name) => trips[name].at(-1) ?? 0;
    this.store.facts.replaceChildren(facts([
      ['engine', store.shared ? store.name : `${store.name}, in this process, without round trips`],
      store.shards_away ? ['unavailable shards', store.shards_away.join(', ')] : null,
      since ? ['fallback', `since ${moment(since)}: each policy's on_store_failure decides`] : null,
      store.settlements_waiting ? ['waiting', `${number(store.settlements_waiting)} settlements`] : null,
      entries(store.leases).length > 0 ? ['leased permits', entries(store.leases).map(([policy, held]) => `${policy} ${number(held)}`).join(', ')] : null,
      trips ? ['round trips', `${number(last('trips'))}/s`] : null,
      entries(store.trips_per_second).length > 1 ? ['by shard', entries(store.trips_per_second).map(([shard, each]) => `${shard} ${rate(each)}/s`).join(', ')] : null,
      trips ? ['errors', `${number(last('errors'))}/s, ${number(this.seconds.sum(trips.errors, this.span))} in this time range`] : null,
      trips ? ['latency', last('trips') > 0 ? `${micros(last('mean_us'))} mean, ${micros(last('slowest_us'))} slowest` : 'none: no round trip in the last second'] : null,
    ]));
  }

  /** Draws the latency of the store over the selected time range. */
  drawStore(seconds, shaded) {
    const {store, from} = this.seconds;
    this.span = seconds;
    this.#storeFacts();
    this.store.chart.hidden = store === null || this.seconds.sum(store.trips, seconds) + this.seconds.sum(store.errors, seconds) === 0;
    if (!this.store.chart.hidden) {
      this.lines ??= new Lines(this.store.canvas, LATENCY, {x: (at) => clock(at * 1000), y: micros});
      this.lines.show({from, span: seconds, lists: LATENCY.map(({name}) => store[name].map((value, i) => (store.trips[i] ? value : null))), shaded});
    }
  }

  #policies(policies) {
    this.policies = policies;
    this.#inForce();
  }

  #inForce() {
    const {status, policies} = this;
    if (!status || !policies) {
      return;
    }
    const told = JSON.stringify([status.policies, status.notes, policies]);
    if (told === this.told) {
      return; // keeps the focus on a button
    }
    this.told = told;
    const of = status.policies;
    const failure = of.failure ?? policies.failure;
    const past = (policies.failures ?? []).filter(({at}) => at !== failure?.at).slice(0, FAILURES_SHOWN);
    find('policies-in-use').replaceChildren(
      h('div', {class: 'head'}, h('h2', {id: 'policies-in-use-title'}, 'Policies in use'), failure ? pill('bad', 'last reload failed') : pill('good', 'up to date')),
      facts([
        ['version', `${of.version}`], ['hash', h('code', {}, of.hash)], ['loaded', moment(of.loaded_at)],
        failure ? ['failed', moment(failure.at)] : null,
        ['contents', `${policies.policies} policies, ${policies.limits} limits${policies.tenants ? `, ${policies.tenants} tenants` : ''}`],
      ]),
      status.notes.length === 0 ? '' : h('ul', {class: 'notes'}, ...status.notes.map((note) => h('li', {}, note))),
      failure ? errorList(failure.errors) : '',
      past.length === 0 ? '' : h('details', {}, h('summary', {}, 'Earlier failed reloads'), ...past.flatMap((one) =>
        [h('p', {class: 'quiet'}, moment(one.at)), errorList(one.errors)])),
      h('div', {class: 'row'},
        h('button', {type: 'button', class: 'small', onclick: () => this.#reload()}, 'Reload the files'),
        h('button', {type: 'button', class: 'small', onclick: () => this.#beginShadow()}, 'Put everything in shadow mode…')));
  }

  async #reload() {
    try {
      const {version} = await ask('/admin/policies/reload', {method: 'POST'});
      showMessage(`The files were reloaded. Version ${version} is in use.`);
    } catch (failure) {
      showMessage(failure.message);
    }
    this.polls.forEach((poll) => poll.now());
  }

  #beginShadow() {
    change({
      title: 'Put the whole service in shadow mode?',
      words: 'No node denies anything until shadow ends, not even by deny lists and blocks. It ends automatically.',
      verb: 'Put in shadow mode', isDangerous: true, lasts: true,
      act: (millis) => ask('/admin/shadow', {body: {for_ms: millis}}),
      done: () => 'The whole service is in shadow mode.',
    }).then(() => this.polls[1].now());
  }

  #shadow({shadow, until}) {
    const banner = find('shadow');
    banner.hidden = !shadow;
    if (!shadow) {
      this.shadowUntil = undefined;
      banner.replaceChildren();
      return;
    }
    if (this.shadowUntil !== until) {
      this.shadowUntil = until;
      this.left = h('span');
      banner.replaceChildren(h('strong', {}, 'The whole service is in shadow mode: nothing is denied.'), this.left,
        h('button', {type: 'button', class: 'small', onclick: () => this.#endShadow()}, 'End shadow'));
    }
    this.left.textContent = `It ends in ${span(Date.parse(until) - Date.now())}.`;
  }

  async #endShadow() {
    await ask('/admin/shadow', {body: {for_ms: 0}}).then(() => showMessage('Limits are enforced again.'), (failure) => showMessage(failure.message));
    this.polls[1].now();
  }

  #nodes({from, nodes}) {
    const own = nodes.find((node) => node.this) ?? nodes[0];
    const lines = [...nodes].sort((a, b) => String(a.node).localeCompare(String(b.node))).map((node) => h('div', {class: 'node-line'},
      h('strong', {}, node.node ?? 'unknown'), node.state === 'ready' ? pill('good', 'ready') : pill('warn', node.state ?? 'unknown'),
      node.this ? h('span', {class: 'quiet'}, 'this node') : '',
      node.region ? h('span', {class: 'quiet'}, node.region) : '',
      h('span', {class: 'quiet'}, `${node.version ?? ''}, since ${node.started_at ? moment(node.started_at) : 'unknown'}`),
      node.policies !== own.policies ? pill('warn', 'different policies') : ''));
    find('nodes').replaceChildren(
      h('div', {class: 'head'}, h('h2', {id: 'nodes-title'}, 'Nodes'), h('span', {class: 'quiet'}, `${nodes.length}`)), ...lines,
      from === 'store' ? '' : h('p', {class: 'quiet'}, 'Only this node is listed: there is no shared store, or it is unavailable.'));
  }
}
