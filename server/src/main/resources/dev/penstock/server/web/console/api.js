/** Asks the service, with the token that this tab keeps, and tells whether it is there and lets us in. */

const KEPT = 'penstock.token';
const PATIENCE_MILLIS = 5000;
const watchers = [];
let standing = {state: 'asking'};

/** The service answered, and refuses: its own words. */
export class Refusal extends Error {
  constructor(status, json) {
    super(json?.detail ?? `The service answers ${status}.`);
    this.status = status;
    this.json = json;
  }
}

/** Nobody answered. */
export class Silence extends Error {}

/** Whether a failure is one of these two, and not a mistake of this page. */
export const isOfTheService = (failure) => failure instanceof Refusal || failure instanceof Silence;

/** What a failed call says; a mistake of this page is none. */
export function failureText(failure) {
  if (!isOfTheService(failure)) {
    throw failure;
  }
  return failure.message;
}

/** Calls back with {state: 'asking' | 'here' | 'gone' | 'locked', ...} now, and whenever that changes. */
export function onStanding(watcher) {
  watchers.push(watcher);
  watcher(standing);
}

function stand(next) {
  const changed = next.state !== standing.state || next.shown !== standing.shown;
  standing = next;
  if (changed) {
    watchers.forEach((watcher) => watcher(standing));
  }
}

/** Whether it is any use to ask: not before somebody has typed a token. */
export const mayAsk = () => standing.state !== 'locked';

export const token = () => sessionStorage.getItem(KEPT) ?? '';

export function useToken(text) {
  if (text === '') {
    sessionStorage.removeItem(KEPT);
  } else {
    sessionStorage.setItem(KEPT, text);
  }
  stand({state: 'asking'});
}

const headersFor = (type) => ({
  ...(type === undefined ? {} : {'Content-Type': type}),
  ...(token() === '' ? {} : {Authorization: `Bearer ${token()}`}),
});

async function fetched(path, options) {
  const shown = token();
  let response;
  try {
    response = await fetch(path, {cache: 'no-store', ...options});
  } catch (failure) {
    if (failure.name !== 'AbortError') { // else we have ended it ourselves
      stand({state: 'gone', since: standing.state === 'gone' ? standing.since : Date.now()});
    }
    throw new Silence('The service does not answer.');
  }
  if (response.status === 401) {
    if (shown === token()) { // else another was typed meanwhile
      sessionStorage.removeItem(KEPT);
      stand({state: 'locked', shown});
    }
    throw new Refusal(401, {detail: 'The service asks for a token.'});
  }
  stand({state: 'here'});
  return response;
}

/** What the service answers, read; throws a Refusal or Silence. */
export async function ask(path, {body, type = 'application/json', method = body === undefined ? 'GET' : 'POST'} = {}) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetched(path, {
    method, body: text, headers: headersFor(body === undefined ? undefined : type), signal: AbortSignal.timeout(PATIENCE_MILLIS),
  });
  const json = await response.json().catch(() => undefined);
  if (!response.ok) {
    throw new Refusal(response.status, json);
  } else if (json === undefined) {
    throw new Silence('The answer broke off.');
  }
  return json;
}

/** An answer that goes on: its events, each {event, data}, the first of them open, until it ends or the signal does. */
export async function* events(path, signal) {
  const response = await fetched(path, {headers: headersFor(), signal});
  if (!response.ok) {
    throw new Refusal(response.status, await response.json().catch(() => undefined));
  }
  yield {event: 'open', data: 'null'};
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {value, done} = await reader.read().catch(() => { throw new Silence('The answer broke off.'); });
    if (done) {
      return;
    }
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = {event: 'message', data: ''};
      for (const line of block.split('\n')) {
        const [, name, text] = /^(event|data): ?(.*)$/.exec(line) ?? [];
        if (name === 'event') {
          fields.event = text;
        } else if (name === 'data') {
          fields.data += text;
        }
      }
      if (fields.data !== '') {
        yield fields;
      }
    }
  }
}
