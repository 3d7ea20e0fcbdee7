/** Calls the service with the token of this tab, and tracks whether the service answers and accepts the token. */

const KEPT = 'penstock.token';
const PATIENCE_MILLIS = 5000;
const watchers = [];
let connection = {state: 'asking'};

/** The service answered with an error. The message is the service's own. */
export class Refusal extends Error {
  constructor(status, json) {
    super(json?.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.json = json;
  }
}

/** The service did not answer. */
export class Silence extends Error {}

/** Returns true if a failure is one of these two, and not a bug of this page. */
export const isOfTheService = (failure) => failure instanceof Refusal || failure instanceof Silence;

/** Returns the message of a failed call. Rethrows a bug of this page. */
export function failureText(failure) {
  if (!isOfTheService(failure)) {
    throw failure;
  }
  return failure.message;
}

/** Calls the watcher with {state: 'asking' | 'here' | 'gone' | 'locked', ...}, now and after each change. */
export function onConnection(watcher) {
  watchers.push(watcher);
  watcher(connection);
}

function stand(next) {
  const changed = next.state !== connection.state || next.shown !== connection.shown;
  connection = next;
  if (changed) {
    watchers.forEach((watcher) => watcher(connection));
  }
}

/** Returns true if calls make sense. Without a token, they do not until the user enters one. */
export const mayAsk = () => connection.state !== 'locked';

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
    if (failure.name !== 'AbortError') { // otherwise this page has aborted the call
      stand({state: 'gone', since: connection.state === 'gone' ? connection.since : Date.now()});
    }
    throw new Silence('The service does not answer.');
  }
  if (response.status === 401) {
    if (shown === token()) { // otherwise the user has entered another token meanwhile
      sessionStorage.removeItem(KEPT);
      stand({state: 'locked', shown});
    }
    throw new Refusal(401, {detail: 'The service requires a token.'});
  }
  stand({state: 'here'});
  return response;
}

/** Returns the parsed answer of a call. Throws a Refusal or Silence. */
export async function ask(path, {body, type = 'application/json', method = body === undefined ? 'GET' : 'POST'} = {}) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetched(path, {
    method, body: text, headers: headersFor(body === undefined ? undefined : type), signal: AbortSignal.timeout(PATIENCE_MILLIS),
  });
  const json = await response.json().catch(() => undefined);
  if (!response.ok) {
    throw new Refusal(response.status, json);
  } else if (json === undefined) {
    throw new Silence('The answer was cut off.');
  }
  return json;
}

/** Streams the events of an answer as {event, data}. The first one is 'open'. Ends with the answer or the signal. */
export async function* events(path, signal) {
  const response = await fetched(path, {headers: headersFor(), signal});
  if (!response.ok) {
    throw new Refusal(response.status, await response.json().catch(() => undefined));
  }
  yield {event: 'open', data: 'null'};
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {value, done} = await reader.read().catch(() => { throw new Silence('The answer was cut off.'); });
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
