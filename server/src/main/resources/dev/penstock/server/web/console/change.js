/** Changes are asked about first, and told of afterwards. */

import {h} from './common.js';

const LASTING = [[300000, '5 minutes'], [3600000, '1 hour'], [86400000, '1 day'], [604800000, '1 week']];
const TOLD_MILLIS = 6000;
const find = (id) => document.getElementById(id);
let telling;

/** Says what happened, for a moment. */
export function tell(text) {
  clearTimeout(telling);
  find('told').textContent = text;
  telling = setTimeout(() => { find('told').textContent = ''; }, TOLD_MILLIS);
}

/** Takes back a question that nobody has answered: what it was about is not shown any more. */
export const dismiss = () => find('change').close();

/**
 * Asks before something is changed. What the service refuses is said where it was asked; what comes of it after the question was closed is told.
 *
 * @param lasts whether it is for a time, which act is given in milliseconds
 * @param done what to tell of what act answered
 * @returns whether it was done
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
        if (!isClosed) { // else the dialog may ask something else by now
          dialog.close();
        }
        tell(done(answer));
      } catch (failure) {
        wrong.textContent = failure.message;
        if (isClosed) {
          resolve(false);
          tell(failure.message);
        }
      } finally {
        go.disabled = false;
      }
    };
    dialog.replaceChildren(h('form', {onsubmit: send},
      h('h2', {id: 'change-title'}, title), h('p', {}, words),
      ...(lasts ? [h('label', {for: time.id}, 'For how long'), time] : []), wrong,
      h('div', {class: 'row'}, go, h('button', {type: 'button', onclick: dismiss}, 'Cancel'))));
    dialog.addEventListener('close', () => {
      isClosed = true;
      if (!go.disabled) { // else what is under way tells
        resolve(false);
      }
    }, {once: true});
    dialog.showModal();
  });
}
