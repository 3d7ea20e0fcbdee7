import {curl, h, send, waitInWords} from './common.js';

const MOST_DOTS = 60;
const find = (id) => document.getElementById(id);
const rows = find('attributes');
const TOKEN_NEEDED = 'This service requires a bearer token.';

function addRow(name = '', value = '') {
  const row = h('div', {class: 'pair'},
    h('input', {'aria-label': 'Name of the attribute', value: name, autocomplete: 'off', spellcheck: 'false'}),
    h('input', {'aria-label': 'Value of the attribute', value, autocomplete: 'off', spellcheck: 'false'}),
    h('button', {type: 'button', 'aria-label': 'Remove the attribute', onclick: () => { row.remove(); showCurl(); }}, '×'));
  rows.append(row);
  return row;
}

function call() {
  const attributes = {};
  for (const row of rows.children) {
    const [name, value] = [...row.querySelectorAll('input')].map((input) => input.value);
    if (name !== '') {
      attributes[name] = value;
    }
  }
  const body = {attributes};
  if (find('cost').value !== '') {
    body.costs = {requests: Number(find('cost').value)};
  }
  if (find('peek').checked) {
    body.peek = true;
  }
  const headers = {'Content-Type': 'application/json', ...authorization()};
  return {method: 'POST', path: '/v1/check', headers, body: JSON.stringify(body)};
}

function authorization() {
  return find('token').value === '' ? {} : {Authorization: `Bearer ${find('token').value}`};
}

function showCurl() {
  const {headers, ...rest} = call();
  const {Authorization} = headers;
  find('curl').textContent = curl({...rest, headers: Authorization ? {Authorization} : {}});
}

function verdict(kind, title, words) {
  find('verdict').className = `verdict ${kind}`;
  find('verdict').replaceChildren(h('b', {}, title), h('span', {}, words));
}

function limitView(limit) {
  const percent = limit.capacity === 0 ? 0 : Math.max(0, Math.min(100, 100 * limit.remaining / limit.capacity));
  const fill = h('i');
  fill.style.width = `${percent}%`;
  const name = `${limit.policy} / ${limit.limit}`;
  return h('div', {class: 'limit'},
    h('div', {class: 'words'},
      h('span', {}, name + (limit.shadow ? ' (in shadow mode)' : '') + (limit.hidden ? ' (not shown to clients)' : '')),
      h('span', {}, `${limit.remaining} of ${limit.capacity} ${limit.unit} left`)),
    h('div', {class: `bar${limit.exceeded ? ' over' : ''}`, role: 'meter', 'aria-label': `${name}: remaining`,
      'aria-valuemin': 0, 'aria-valuemax': limit.capacity, 'aria-valuenow': limit.remaining}, fill));
}

function showLimits(limits, title) {
  find('limits-title').textContent = title;
  find('limits').replaceChildren(...(limits.length === 0
    ? [h('p', {class: 'quiet'}, 'No limit was checked: no policy matches these attributes, or an allow or deny list decided.')]
    : limits.map(limitView)));
}

function showHeaders(headers) {
  const lines = Object.entries(headers);
  find('headers').replaceChildren(...(lines.length === 0
    ? [h('tr', {}, h('td', {class: 'quiet'}, 'This decision sends no headers.'))]
    : lines.map(([name, value]) => h('tr', {}, h('th', {scope: 'row'}, name), h('td', {}, h('code', {}, value))))));
}

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function show(answer, isPeek) {
  find('answer').textContent = answer.json === undefined ? answer.text : JSON.stringify(answer.json, null, 2);
  if (answer.status !== 200) {
    verdict('failed', `${answer.status}`, answer.json?.detail ?? (answer.status === 401 ? TOKEN_NEEDED : ''));
    return;
  }
  const decision = answer.json;
  const peeked = isPeek ? ' This was a peek: nothing was charged.' : '';
  if (decision.allowed) {
    const turn = decision.delay_ms ? ` Proceed after ${waitInWords(decision.delay_ms)}.` : '';
    const permit = decision.permit ? ' Its permit stays held until it expires.' : '';
    verdict('allowed', 'Allowed', `Decided by ${decision.ruled_by ?? decision.decided_by}.${turn}${permit}${peeked}`);
  } else {
    const again = decision.retry === 'never' ? 'A retry does not help.' : `Retry in ${waitInWords(decision.retry_after_ms ?? 0)}.`;
    verdict('denied', 'Denied', `${capitalized(decision.reason.replaceAll('_', ' '))}. ${again}${peeked}`);
  }
  showLimits(decision.limits, isPeek ? 'Limits now' : 'Limits after this decision');
  showHeaders(decision.headers);
  const word = decision.allowed ? 'allowed' : 'denied';
  find('none').classList.add('hidden');
  find('dots').append(h('li', {class: word, title: word, 'aria-label': word}));
  while (find('dots').children.length > MOST_DOTS) {
    find('dots').firstChild.remove();
  }
}

/** Shows the state of the limits before anything is charged, unless something was decided meanwhile. */
async function look() {
  const {body, ...rest} = call();
  const answer = await send({...rest, body: JSON.stringify({...JSON.parse(body), peek: true})});
  if (find('dots').children.length > 0) {
    return;
  }
  if (answer.status === 200) {
    showLimits(answer.json.limits, 'Limits now, before any decision');
  } else {
    const why = answer.status === 401 ? `${TOKEN_NEEDED} Enter it to see the limits.` : answer.json?.detail ?? `The service answered ${answer.status}.`;
    find('limits').replaceChildren(h('p', {class: 'quiet'}, why));
  }
}

/** Returns the address of the console, or undefined if this browser cannot reach it. */
function consoleAddress({host, port, local, tls}) {
  if (local && !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) {
    return undefined;
  }
  const isAnyAddress = host === '0.0.0.0' || host === '::';
  const name = isAnyAddress ? location.hostname : host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'https:' : 'http:'}//${name}:${port}/console`;
}

function showConsole(address) {
  find('console').classList.toggle('hidden', address === undefined);
  if (address !== undefined) {
    find('console').setAttribute('href', address);
  }
}

const isBlank = () => [...rows.querySelectorAll('input')].every((input) => input.value === '');

/** Fills the form with attributes from the policies in use, unless the user has entered some. */
function fill(attributes) {
  if (!isBlank()) {
    return;
  }
  rows.replaceChildren();
  const names = Object.keys(attributes);
  names.forEach((name) => addRow(name, attributes[name]));
  if (names.length === 0) {
    addRow();
  }
  find('origin').textContent = names.length === 0
    ? 'No example fits the policies in use. Enter attributes that your policies name.'
    : 'An example made from the policies in use. Change it as you like.';
  showCurl();
}

/** Loads the example and the console's address, then shows the limits. */
async function load() {
  const answer = await send({method: 'GET', path: '/assets/start.json', headers: authorization()});
  if (answer.status === 200) {
    fill(answer.json.attributes);
    showConsole(consoleAddress(answer.json.console));
  } else {
    find('origin').textContent = answer.status === 401
      ? `${TOKEN_NEEDED} Enter it below to get example attributes.`
      : 'The example attributes could not be loaded. Enter attributes that your policies name.';
  }
  await look();
}

function start() {
  load().catch(() => { find('origin').textContent = 'The service did not answer. Reload this page to try again.'; });
}

async function decide(times) {
  const buttons = [find('once'), find('ten')];
  buttons.forEach((button) => { button.disabled = true; });
  try {
    const isPeek = find('peek').checked;
    const sent = Array.from({length: times}, () => send(call()));
    for (const answer of sent) {
      show(await answer, isPeek);
    }
  } catch (failure) {
    verdict('failed', 'No answer', String(failure.message ?? failure));
  } finally {
    buttons.forEach((button) => { button.disabled = false; });
  }
}

addRow();
showCurl();
start();
find('token').addEventListener('change', start);
find('more').addEventListener('click', () => { addRow().querySelector('input').focus(); });
find('try').addEventListener('input', showCurl);
find('try').addEventListener('submit', (event) => { event.preventDefault(); decide(1).then(() => find('once').focus()); });
find('ten').addEventListener('click', () => decide(10).then(() => find('ten').focus()));
