/** What the policies make of a request: which match, what each limit counts, and what would come of it now. */

import {h} from './common.js';
import {ask} from './api.js';
import {keyText, number, span} from './words.js';

const sameCounter = (a, b) => a.counter === b.counter && JSON.stringify(a.key) === JSON.stringify(b.key);

/** Asks for all of it: the explanation, how the counters stand that it names, and whether anything is denied at all. */
export async function explained(asked) {
  const [explanation, standing, {shadow}] = await Promise.all([
    ask('/admin/explain', {body: asked}), ask('/admin/keys/show', {body: {attributes: asked.attributes}}), ask('/admin/shadow')]);
  return {asked, explanation, standing, isInShadow: shadow};
}

/** Whether no list and no policy speaks of it. */
export const isDefault = (ruling) => ruling.by === 'default';

/** The limits that apply, each with its counter as it stands. */
function counted({explanation, standing}) {
  return explanation.policies.filter(({matches}) => matches).flatMap((policy) => policy.limits.filter(({applies}) => applies).map((limit) => {
    const now = standing.limits.find((one) => one.policy === policy.name && one.limit === limit.id
      && sameCounter(one, {counter: limit.counter, key: limit.key.map(({value}) => value)}))
      ?? standing.limits.find((one) => one.policy === policy.name && one.limit === limit.id);
    const isWatching = policy.role !== 'enforce';
    const fits = now === undefined || (!now.blocked && now.remaining >= limit.cost);
    return {policy, limit, now, isWatching, fits};
  }));
}

/** What the policies say of it: {kind, title, words}. */
function saidOf(all) {
  const {ruling} = all.explanation;
  if (ruling) {
    const isAllowed = ruling.verdict === 'allow';
    return {kind: isAllowed ? 'allowed' : 'denied', title: isAllowed ? 'Allowed' : 'Denied', words: isDefault(ruling) ? 'by default, since nothing matches.' : `by ${ruling.by}, whatever the limits say.`};
  }
  const limits = counted(all);
  const against = limits.find(({isWatching, fits}) => !isWatching && !fits);
  if (against) {
    const {policy, limit, now} = against;
    const words = now.blocked ? 'its key is blocked' : `${number(now.remaining)} of ${number(now.capacity)} ${limit.unit} are left, and it costs ${number(limit.cost)}`;
    return {kind: 'denied', title: 'Denied', words: `by ${policy.name} ${limit.id}: ${words}.`};
  }
  const watching = limits.filter(({isWatching, fits}) => isWatching && !fits).map(({policy}) => policy.name);
  const limited = limits.filter(({isWatching}) => !isWatching).length;
  return {
    kind: 'allowed', title: 'Allowed',
    words: (limited === 0 ? 'no limit applies.' : `it fits all ${limited === 1 ? 'of one limit' : `${limited} limits`}.`)
      + (watching.length > 0 ? ` In shadow, ${watching.join(', ')} would have denied it.` : ''),
  };
}

/** What would come of it: the whole service in shadow denies nothing. */
function verdictOf(all) {
  const said = saidOf(all);
  return said.kind === 'denied' && all.isInShadow
    ? {kind: 'observed', title: 'Would be denied', words: `${said.words} Allowed now, since the whole service is in shadow.`} : said;
}

export function verdictView(all) {
  const {kind, title, words} = verdictOf(all);
  return h('div', {class: `verdict ${kind}`}, h('b', {}, title), h('span', {}, words));
}

function limitView({limit, now, fits}) {
  const key = keyText(limit.key.map(({part}) => part), limit.key.map(({value}) => value));
  const sum = now === undefined ? 'its counter was not told' : now.blocked ? 'its key is blocked'
    : `${number(now.remaining)} of ${number(now.capacity)} left − ${number(limit.cost)} = ${number(now.remaining - limit.cost)} ${limit.unit}`;
  const wait = now === undefined || now.remaining >= now.capacity ? '' : `, all free in ${span(Date.parse(now.free_at) - Date.now())}`;
  return h('div', {class: 'limit-line'},
    h('b', {}, limit.id), ` ${limit.numbers}`,
    h('div', {}, 'counts ', h('code', {}, key)),
    h('div', {class: 'sum'}, h('span', {class: `verdict-word ${fits ? 'allowed' : 'denied'}`}, fits ? 'fits' : 'does not fit'), `: ${sum}${wait}`),
    limit.notes.length === 0 ? null : h('ul', {}, ...limit.notes.map((note) => h('li', {}, note))));
}

/** The policies that match, each with its limits and their numbers. */
export function matchesView(all) {
  const limits = counted(all);
  return all.explanation.policies.filter(({matches}) => matches).map((policy) => h('div', {class: 'matched'},
    h('h4', {}, policy.name, policy.role === 'enforce' ? '' : h('span', {class: 'quiet'}, ` (${policy.role})`)),
    ...limits.filter((one) => one.policy === policy).map(limitView),
    ...policy.limits.filter(({applies}) => !applies).map((limit) => h('div', {class: 'limit-line quiet'}, `${limit.id} does not apply: ${limit.why_not}`))));
}

/** Those that do not match, and why. */
export function othersView({explanation}) {
  const others = explanation.policies.filter(({matches}) => !matches);
  return others.length === 0 ? null : h('details', {open: others.length <= 3},
    h('summary', {}, `${others.length} ${others.length === 1 ? 'does' : 'do'} not match`),
    h('ul', {class: 'not-matched'}, ...others.map((policy) => h('li', {}, h('b', {}, policy.name), ` ${policy.why_not}`))));
}
