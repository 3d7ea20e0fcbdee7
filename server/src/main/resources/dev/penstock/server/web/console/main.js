/** The console: its sections, the token, and the connection to the service. */

import {h} from './common.js';
import {onConnection, token, useToken} from './api.js';
import {dismiss} from './change.js';
import {Seconds} from './live.js';
import {Now} from './now.js';
import {Who} from './who.js';
import {PoliciesInForce} from './policies.js';
import {Why} from './why.js';
import {clock} from './words.js';

const find = (id) => document.getElementById(id);
const seconds = new Seconds();
const now = new Now(seconds);
const parts = new Map([['now', now], ['who', new Who()], ['policies', new PoliciesInForce(seconds)], ['why', new Why()]]);
const tabs = [...document.querySelectorAll('[role="tab"]')];
let shown;
let isStarted = false;

/** Shows the section that the address names, as in #who?policy=api&key=..., and closes an open question. */
function show() {
  dismiss();
  const [name, query] = location.hash.slice(1).split('?');
  const wanted = parts.has(name) ? name : 'now';
  if (shown !== wanted) {
    parts.get(shown)?.hide();
  }
  shown = wanted;
  for (const tab of tabs) {
    const isIt = tab.id === `tab-${wanted}`;
    tab.setAttribute('aria-selected', String(isIt));
    tab.tabIndex = isIt ? 0 : -1;
  }
  parts.forEach((_, part) => { find(part).hidden = part !== wanted || !isStarted; });
  document.title = `Penstock: ${wanted}`;
  if (isStarted) {
    parts.get(wanted).show(new URLSearchParams(query ?? ''));
  }
}

/** Shows a section. Does not follow the link, which would move the focus. */
function go(event, tab) {
  event.preventDefault();
  history.pushState(null, '', tab.hash);
  show();
}

function moveAmongTabs(event) {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  const at = tabs.indexOf(event.target);
  const next = step ? tabs[(at + step + tabs.length) % tabs.length] : {Home: tabs[0], End: tabs.at(-1)}[event.key];
  if (next) {
    go(event, next);
    next.focus();
  } else if (event.key === ' ') {
    go(event, event.target);
  }
}

const WORDS = {asking: ['', 'connecting'], here: ['good', 'live'], gone: ['bad', 'no answer'], locked: ['warn', 'locked']};

function stand({state, shown: refused, since}) {
  const [kind, words] = WORDS[state];
  find('connection').className = `pill ${kind}`;
  find('connection').textContent = words;
  find('forget').hidden = token() === '';
  find('lock').hidden = state !== 'locked';
  find('gone').hidden = state !== 'gone';
  if (state === 'gone') {
    find('gone').replaceChildren(h('strong', {}, 'The service does not answer.'),
      h('span', {}, `${seconds.length > 0 ? `The data shown is from ${clock(since)}. ` : ''}This page reconnects automatically.`));
  } else if (state === 'locked') {
    isStarted = false;
    find('lock-why').className = refused === '' ? 'quiet' : 'failed-text';
    find('lock-why').textContent = refused === '' ? 'Every call to the admin port requires one.' : 'The service does not accept this token.';
    show();
    find('token').value = '';
    find('token').focus();
  } else if (state === 'here' && !isStarted) {
    isStarted = true;
    show();
  }
}

find('lock').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = find('token').value.trim();
  if (/[^!-~]/.test(typed)) { // such text cannot be sent in a header
    find('lock-why').className = 'failed-text';
    find('lock-why').textContent = 'This is not a valid token: tokens have only visible ASCII characters, without spaces.';
    return;
  }
  useToken(typed);
  now.start();
});
find('forget').addEventListener('click', () => {
  useToken('');
  seconds.clear();
  now.start();
});
tabs.forEach((tab) => {
  tab.addEventListener('keydown', moveAmongTabs);
  tab.addEventListener('click', (event) => go(event, tab));
});
find('skip').addEventListener('click', (event) => {
  event.preventDefault();
  find('main').focus();
});
addEventListener('hashchange', show);
addEventListener('popstate', show);
show();
onConnection(stand);
now.start();
