/** Explains what the policies do with a request: which ones match, what each limit counts, and the result. */

import {h} from './common.js';
import {ask} from './api.js';
import {keyText, number, span} from './words.js';

const sameCounter = (a, b) => a.counter === b.counter && JSON.stringify(a.key) === JSON.stringify(b.key);

/** Loads the explanation, the state of its counters, and whether the service is in shadow mode. */
export async function explained(asked) {
  const [explanation, keyStates, {shadow}] = await Promise.all([
    ask('/admin/explain', {body: asked}), ask('/admin/keys/show', {body: {attributes: asked.attributes}}), ask('/admin/shadow')]);
  return {asked, explanation, keyStates, isInShadow: shadow};
}

/** Returns true if no list and no policy matches. */
export const isDefault = (ruling) => ruling.by === 'default';

/** Returns the limits that apply, each with the state of its counter. */
function counted({explanation, keyStates}) {
  return explanation.policies.filter(({matches}) => matches).flatMap((policy) => policy.limits.filter(({applies}) => applies).map((limit) => {
    const now = keyStates.limits.find((one) => one.policy === policy.name && one.limit === limit.id
      && sameCounter(one, {counter: limit.counter, key: limit.key.map(({value}) => value)}))
      ?? keyStates.limits.find((one) => one.policy === policy.name && one.limit === limit.id);
    const isShadow = policy.role !== 'enforce';
    const fits = now === undefined || (!now.blocked && now.remaining >= limit.cost);
    return {policy, limit, now, isShadow, fits};
  }));
}

/** Returns the result by the policies: {kind, title, words}. */
function saidOf(all) {
  const {ruling} = all.explanation;
  if (ruling) {
    const isAllowed = ruling.verdict === 'allow';
    return {kind: isAllowed ? 'allowed' : 'denied', title: isAllowed ? 'Allowed' : 'Denied', words: isDefault(ruling) ? 'by default, because nothing matches.' : `by ${ruling.by}, regardless of the limits.`};
  }
  const limits = counted(all);
  const against = limits.find(({isShadow, fits}) => !isShadow && !fits);
  if (against) {
    const {policy, limit, now} = against;
    const words = now.blocked ? 'the key is blocked' : `${number(now.remaining)} of ${number(now.capacity)} ${limit.unit} are left, and the request costs ${number(limit.cost)}`;
    return {kind: 'denied', title: 'Denied', words: `by ${policy.name} ${limit.id}: ${words}.`};
  }
  const shadows = limits.filter(({isShadow, fits}) => isShadow && !fits).map(({policy}) => policy.name);
  const limited = limits.filter(({isShadow}) => !isShadow).length;
  return {
    kind: 'allowed', title: 'Allowed',
    words: (limited === 0 ? 'no limit applies.' : `it fits ${limited === 1 ? 'the one limit that applies' : `all ${limited} limits that apply`}.`)
      + (shadows.length > 0 ? ` In shadow, ${shadows.join(', ')} would have denied it.` : ''),
  };
}

/** Returns the result. If the whole service is in shadow mode, nothing is denied. */
function verdictOf(all) {
  const said = saidOf(all);
  return said.kind === 'denied' && all.isInShadow
    ? {kind: 'shadow', title: 'Would be denied', words: `${said.words} Allowed now, because the whole service is in shadow mode.`} : said;
}

export function verdictView(all) {
  const {kind, title, words} = verdictOf(all);
  return h('div', {class: `verdict ${kind}`}, h('b', {}, title), h('span', {}, words));
}

function limitView({limit, now, fits}) {
  const key = keyText(limit.key.map(({part}) => part), limit.key.map(({value}) => value));
  const sum = now === undefined ? 'its counter is unknown' : now.blocked ? 'the key is blocked'
    : `${number(now.remaining)} of ${number(now.capacity)} left − ${number(limit.cost)} = ${number(now.remaining - limit.cost)} ${limit.unit}`;
  const wait = now === undefined || now.remaining >= now.capacity ? '' : `, all free in ${span(Date.parse(now.free_at) - Date.now())}`;
  return h('div', {class: 'limit-line'},
    h('b', {}, limit.id), ` ${limit.numbers}`,
    h('div', {}, 'counts ', h('code', {}, key)),
    h('div', {class: 'sum'}, h('span', {class: `verdict-word ${fits ? 'allowed' : 'denied'}`}, fits ? 'fits' : 'does not fit'), `: ${sum}${wait}`),
    limit.notes.length === 0 ? null : h('ul', {}, ...limit.notes.map((note) => h('li', {}, note))));
}

/** Shows the policies that match, each with its limits and their numbers. */
export function matchesView(all) {
  const limits = counted(all);
  return all.explanation.policies.filter(({matches}) => matches).map((policy) => h('div', {class: 'matched'},
    h('h4', {}, policy.name, policy.role === 'enforce' ? '' : h('span', {class: 'quiet'}, ` (${policy.role})`)),
    ...limits.filter((one) => one.policy === policy).map(limitView),
    ...policy.limits.filter(({applies}) => !applies).map((limit) => h('div', {class: 'limit-line quiet'}, `${limit.id} does not apply: ${limit.why_not}`))));
}

/** Shows the policies that do not match, and why. */
export function othersView({explanation}) {
  const others = explanation.policies.filter(({matches}) => !matches);
  return others.length === 0 ? null : h('details', {open: others.length <= 3},
    h('summary', {}, `${others.length} ${others.length === 1 ? 'does' : 'do'} not match`),
    h('ul', {class: 'not-matched'}, ...others.map((policy) => h('li', {}, h('b', {}, policy.name), ` ${policy.why_not}`))));
}
