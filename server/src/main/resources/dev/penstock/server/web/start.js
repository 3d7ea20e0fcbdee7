import {curl, h, send, waitInWords} from './common.js';

const MOST_DOTS = 60;
const find = (id) => document.getElementById(id);
const rows = find('attributes');

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
  const headers = {'Content-Type': 'application/json'};
  if (find('token').value !== '') {
    headers.Authorization = `Bearer ${find('token').value}`;
  }
  return {method: 'POST', path: '/v1/check', headers, body: JSON.stringify(body)};
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
      h('span', {}, name + (limit.shadow ? ' (only watches)' : '') + (limit.hidden ? ' (not shown to clients)' : '')),
      h('span', {}, `${limit.remaining} of ${limit.capacity} ${limit.unit} left`)),
    h('div', {class: `bar${limit.exceeded ? ' over' : ''}`, role: 'meter', 'aria-label': `${name}: what is left`,
      'aria-valuemin': 0, 'aria-valuemax': limit.capacity, 'aria-valuenow': limit.remaining}, fill));
}

function showFigures(decision) {
  find('limits').replaceChildren(...(decision.limits.length === 0
    ? [h('p', {class: 'quiet'}, 'No limit was looked at: none of the policies speaks of these attributes, or a list decided.')]
    : decision.limits.map(limitView)));
  const lines = Object.entries(decision.headers);
  find('headers').replaceChildren(...(lines.length === 0
    ? [h('tr', {}, h('td', {class: 'quiet'}, 'None.'))]
    : lines.map(([name, value]) => h('tr', {}, h('th', {scope: 'row'}, name), h('td', {}, h('code', {}, value))))));
}

function show(answer) {
  find('answer').textContent = answer.json === undefined ? answer.text : JSON.stringify(answer.json, null, 2);
  if (answer.status !== 200) {
    verdict('failed', `${answer.status}`, answer.json?.detail ?? (answer.status === 401 ? 'This service asks for a token.' : ''));
    return;
  }
  const decision = answer.json;
  if (decision.allowed) {
    const turn = decision.delay_ms ? `, after ${waitInWords(decision.delay_ms)}` : '';
    const permit = decision.permit ? ' It holds a permit until that expires.' : '';
    verdict('allowed', 'Allowed', `by ${decision.ruled_by ?? decision.decided_by}${turn}.${permit}`);
  } else {
    const again = decision.retry === 'never' ? 'Trying again does not help.' : `Again in ${waitInWords(decision.retry_after_ms ?? 0)}.`;
    verdict('denied', 'Denied', `${decision.reason.replaceAll('_', ' ')}. ${again}`);
  }
  showFigures(decision);
  const word = decision.allowed ? 'allowed' : 'denied';
  find('dots').append(h('li', {class: word, title: word, 'aria-label': word}));
  while (find('dots').children.length > MOST_DOTS) {
    find('dots').firstChild.remove();
  }
}

/** How the limits stand before anything is charged. */
async function look() {
  const {body, ...rest} = call();
  const answer = await send({...rest, body: JSON.stringify({...JSON.parse(body), peek: true})});
  if (answer.status === 200) {
    showFigures(answer.json);
  }
}

async function decide(times) {
  const buttons = [find('once'), find('ten')];
  buttons.forEach((button) => { button.disabled = true; });
  try {
    const sent = Array.from({length: times}, () => send(call()));
    for (const answer of sent) {
      show(await answer);
    }
  } catch (failure) {
    verdict('failed', 'No answer', String(failure.message ?? failure));
  } finally {
    buttons.forEach((button) => { button.disabled = false; });
  }
}

addRow('route', '/v1/users/7');
addRow('user', 'alice');
showCurl();
look().catch(() => {}); // whoever decides something is told why that fails
find('more').addEventListener('click', () => { addRow().querySelector('input').focus(); });
find('try').addEventListener('input', showCurl);
find('try').addEventListener('submit', (event) => { event.preventDefault(); decide(1).then(() => find('once').focus()); });
find('ten').addEventListener('click', () => decide(10).then(() => find('ten').focus()));
