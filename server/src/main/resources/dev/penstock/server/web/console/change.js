/** Asks for confirmation before a change, and reports the result. */

import {h} from './common.js';

const LASTING = [[300000, '5 minutes'], [3600000, '1 hour'], [86400000, '1 day'], [604800000, '1 week']];
const SHOWN_MILLIS = 6000;
const find = (id) => document.getElementById(id);
let hiding;

/** Shows a message for a few seconds. */
export function showMessage(text) {
  clearTimeout(hiding);
  find('told').textContent = text;
  hiding = setTimeout(() => { find('told').textContent = ''; }, SHOWN_MILLIS);
}

/** Closes an unanswered question, because the page no longer shows its subject. */
export const dismiss = () => find('change').close();

/**
 * Asks for confirmation, then makes a change. Errors of the service appear in the dialog. If the dialog was closed
 * meanwhile, the result appears as a message.
 *
 * @param lasts true if the change is temporary; act then gets its duration in milliseconds
 * @param done returns the message for the answer of act
 * @returns true if the change was made
 */
export function change({title, words, verb, isDangerous = false, lasts = false, act, done}) {
  const dialog = find('change');
  const wrong = h('p', {class: 'failed-text', role: 'alert'});
  const time = h('select', {id: 'change-time'}, ...LASTING.map(([millis, text]) => h('option', {value: millis}, text)));
  const go = h('button', {class: `main${isDangerous ? ' danger' : ''}`, type: 'submit'}, verb);
  return new Promise((resolve) => {
    let isClosed = false;
    const send = async (event) => {
      event.preventDefault();
      go.disabled = true;
      wrong.textContent = '';
      try {
        const answer = await act(Number(time.value));
        resolve(true);
        if (!isClosed) { // otherwise the dialog may show another question by now
          dialog.close();
        }
        showMessage(done(answer));
      } catch (failure) {
        wrong.textContent = failure.message;
        if (isClosed) {
          resolve(false);
          showMessage(failure.message);
        }
      } finally {
        go.disabled = false;
      }
    };
    dialog.replaceChildren(h('form', {onsubmit: send},
      h('h2', {id: 'change-title'}, title), h('p', {}, words),
      ...(lasts ? [h('label', {for: time.id}, 'Duration'), time] : []), wrong,
      h('div', {class: 'row'}, go, h('button', {type: 'button', onclick: dismiss}, 'Cancel'))));
    dialog.addEventListener('close', () => {
      isClosed = true;
      if (!go.disabled) { // otherwise the call in progress resolves it
        resolve(false);
      }
    }, {once: true});
    dialog.showModal();
  });
}
