import {curl, h, send} from './common.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];
const SHOWN_FIRST = /^(ratelimit|x-ratelimit|retry-after|penstock-)/;
const find = (id) => document.getElementById(id);
const permitFields = [];
let book;

const at = (pointer) => pointer.slice(2).split('/').reduce((node, step) => node[step.replaceAll('~1', '/').replaceAll('~0', '~')], book);
const resolve = (node) => (node && node.$ref ? at(node.$ref) : node);

/** Returns the text of an example: formatted JSON, or other text unchanged. */
const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** Describes a schema in a few words. */
function kind(given) {
  const schema = resolve(given);
  if (schema.oneOf) {
    return schema.oneOf.map(kind).join(', or ');
  } else if (schema.enum) {
    return schema.enum.join(' | ');
  } else if (schema.type === 'array') {
    return `list of ${given.$ref ? given.$ref.split('/').pop() : kind(schema.items)}`;
  }
  const bounds = [schema.minimum !== undefined ? `from ${schema.minimum}` : '', schema.maximum !== undefined ? `to ${schema.maximum}` : ''];
  return [given.$ref ? given.$ref.split('/').pop() : schema.type, schema.format, ...bounds].filter(Boolean).join(' ');
}

function schemaView(given, depth = 0) {
  const schema = resolve(given);
  if (schema.oneOf) {
    return h('div', {}, ...schema.oneOf.map((one) => schemaView(one, depth)).filter(Boolean).slice(0, 1));
  } else if (schema.type === 'array') {
    return schemaView(schema.items, depth);
  } else if (schema.type !== 'object' || !schema.properties || depth > 3) {
    return null;
  }
  const required = new Set(schema.required ?? []);
  return h('div', {class: 'schema'}, ...Object.entries(schema.properties).map(([name, property]) => {
    const told = property.description ?? resolve(property).description;
    return h('div', {},
      h('code', {}, name), ' ', h('span', {class: 'quiet'}, kind(property) + (required.has(name) ? ', required' : '')),
      told ? h('p', {}, told) : null,
      schemaView(property, depth + 1));
  }));
}

function answersView(operation) {
  const rows = Object.entries(operation.responses).map(([status, given]) => {
    const response = resolve(given);
    const [media, content] = Object.entries(response.content ?? {})[0] ?? [];
    const example = content?.examples ? Object.values(content.examples)[0].value : undefined;
    const headers = Object.keys(response.headers ?? {});
    return h('tr', {}, h('th', {scope: 'row'}, status), h('td', {}, response.description,
      media ? h('span', {class: 'quiet'}, ` ${media}`) : null,
      headers.length ? h('p', {class: 'quiet'}, `Headers: ${headers.join(', ')}`) : null,
      content && schemaView(content.schema) ? h('details', {}, h('summary', {}, 'Fields'), schemaView(content.schema)) : null,
      example ? h('details', {}, h('summary', {}, 'Example'), h('pre', {tabindex: 0}, JSON.stringify(example, null, 2))) : null));
  });
  return h('details', {}, h('summary', {}, 'Responses'), h('table', {}, h('tbody', {}, ...rows)));
}

/** An operation, with a form to send it. */
class Operation {
  constructor(method, path, item, operation) {
    this.method = method.toUpperCase();
    this.path = path;
    this.operation = operation;
    const {url} = (item.servers ?? book.servers)[0];
    this.elsewhere = url === '/' ? undefined : url;
    this.parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
    this.body = operation.requestBody ? Object.values(resolve(operation.requestBody).content)[0] : undefined;
    this.answer = h('div', {class: 'answer', role: 'status'});
    this.shell = h('pre', {tabindex: 0, 'aria-label': 'The same call with curl'});
    this.inputs = this.parameters.map((parameter) => this.input(parameter));
  }

  input(parameter) {
    const id = `${this.operation.operationId}-${parameter.name}`;
    const isKey = parameter.name === 'Idempotency-Key';
    const field = h('input', {id, autocomplete: 'off', spellcheck: 'false', required: parameter.required,
      value: isKey ? '' : parameter.example, placeholder: isKey ? parameter.example : undefined});
    if (parameter.in === 'path' && parameter.name === 'id') {
      permitFields.push(field);
    }
    return {parameter, field};
  }

  view(alsoBy) {
    const {operation} = this;
    const form = h('form', {oninput: () => this.showShell(), onsubmit: (event) => { event.preventDefault(); this.send(); }});
    for (const {parameter, field} of this.inputs) {
      form.append(h('label', {for: field.id}, h('code', {}, parameter.name), ` ${parameter.description ?? ''}`), field);
    }
    if (this.body) {
      form.append(...this.bodyFields());
    }
    form.append(this.elsewhere
      ? h('p', {class: 'quiet'}, 'This page cannot send the call, because it is on another port:')
      : h('div', {class: 'row'}, h('button', {class: 'main'}, 'Send')), this.shell, this.answer);
    this.showShell();
    return h('section', {class: 'card operation', id: operation.operationId, 'aria-label': operation.summary},
      h('h3', {}, h('span', {class: 'method'}, this.method), h('code', {}, this.path)),
      h('p', {}, h('b', {}, operation.summary), operation.description ? `. ${operation.description}` : ''),
      alsoBy.length ? h('p', {class: 'quiet'}, `Also with ${alsoBy.join(', ').toUpperCase()}.`) : null,
      form,
      this.body ? h('details', {}, h('summary', {}, 'Fields of the body'), schemaView(this.body.schema)) : null,
      answersView(operation));
  }

  bodyFields() {
    const id = `${this.operation.operationId}-body`;
    const examples = Object.values(this.body.examples ?? {});
    this.text = h('textarea', {id, spellcheck: 'false'});
    const choose = (example) => { this.text.value = asText(example.value); this.showShell(); };
    const chooser = h('select', {id: `${id}-example`, onchange: (event) => choose(examples[event.target.selectedIndex])},
      ...examples.map((example) => h('option', {}, example.summary)));
    if (examples.length) {
      choose(examples[0]);
    }
    return [...(examples.length > 1 ? [h('label', {for: chooser.id}, 'Example'), chooser] : []),
      h('label', {for: id}, 'Body'), this.text];
  }

  call() {
    const headers = {};
    let path = this.path;
    for (const {parameter, field} of this.inputs) {
      if (parameter.in === 'path') {
        path = path.replace(`{${parameter.name}}`, encodeURIComponent(field.value || parameter.name).replaceAll('%2B', '+'));
      } else if (field.value !== '') {
        headers[parameter.name] = field.value;
      }
    }
    const token = find('token').value;
    if (token !== '' && this.operation.security.length > 0) {
      headers.Authorization = `Bearer ${token}`;
    }
    return {method: this.method, path, headers, body: this.text?.value, at: this.elsewhere};
  }

  showShell() {
    this.shell.textContent = curl(this.call());
  }

  async send() {
    try {
      this.show(await send(this.call()));
    } catch (failure) {
      this.answer.replaceChildren(h('div', {class: 'verdict failed'}, h('b', {}, 'No answer'), String(failure.message ?? failure)));
    }
  }

  show(answer) {
    const permit = answer.json?.permit?.id;
    if (permit) {
      permitFields.forEach((field) => { field.value = permit; field.dispatchEvent(new Event('input', {bubbles: true})); });
    }
    const headers = answer.headers.sort(([a], [b]) => SHOWN_FIRST.test(b) - SHOWN_FIRST.test(a));
    this.answer.replaceChildren(
      h('div', {class: `verdict ${answer.status < 400 ? 'allowed' : 'failed'}`},
        h('b', {}, `${answer.status} ${answer.phrase}`), h('span', {class: 'quiet'}, `${answer.millis.toFixed(1)} ms`)),
      h('table', {}, h('tbody', {}, ...headers.map(([name, value]) =>
        h('tr', {}, h('th', {scope: 'row'}, name), h('td', {}, h('code', {}, value)))))),
      answer.text ? h('pre', {tabindex: 0}, answer.json === undefined ? answer.text : JSON.stringify(answer.json, null, 2)) : '');
  }
}

function draw() {
  find('about').textContent = `${book.info.summary} ${book.info.description}`;
  const all = Object.entries(book.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({path, item, method, operation: item[method]})));
  for (const tag of book.tags) {
    const mine = all.filter(({operation}) => operation.tags.includes(tag.name));
    const own = mine.filter(({operation}) => !operation['x-same-as']);
    find('contents').append(h('h2', {}, tag.name), h('ul', {}, ...own.map(({operation}) =>
      h('li', {}, h('a', {href: `#${operation.operationId}`}, operation.summary)))));
    find('operations').append(h('h2', {id: tag.name}, tag.name), h('p', {class: 'quiet'}, tag.description),
      ...own.map(({method, path, item, operation}) => new Operation(method, path, item, operation).view(
        mine.filter((other) => other.operation['x-same-as'] === operation.operationId).map((other) => other.method))));
  }
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

fetch('/openapi.json').then((response) => response.json()).then((read) => { book = read; draw(); })
  .catch((failure) => { find('about').textContent = `The description could not be loaded: ${failure.message}`; });
