/** Shared by both pages: creates elements, sends calls, and formats a call for curl. */

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sends a call and returns the answer. Throws an error if there is none. */
export async function send({method, path, headers = {}, body}) {
  const began = performance.now();
  const response = await fetch(path, {method, headers, body, cache: 'no-store'});
  const text = await response.text();
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return {status: response.status, phrase: response.statusText, headers: [...response.headers], text, json,
    millis: performance.now() - began};
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

export function curl({method, path, headers = {}, body, at = location.origin}) {
  const parts = ['curl', '-i', quoted(at + path)];
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) {
    parts.push('-X', method);
  }
  for (const [name, value] of Object.entries(headers)) {
    parts.push('-H', name === 'Authorization' ? '"Authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`));
  }
  if (body !== undefined) {
    parts.push('-d', quoted(body));
  }
  return parts.join(' ');
}

export function waitInWords(millis) {
  const seconds = Math.ceil(millis / 1000);
  return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
