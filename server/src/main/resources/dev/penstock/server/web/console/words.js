/** Formats figures, times and keys. */

const GROUPED = new Intl.NumberFormat(undefined, {maximumFractionDigits: 0});
const TENTHS = new Intl.NumberFormat(undefined, {maximumFractionDigits: 1});
const CLOCK = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'});
const DAY = new Intl.DateTimeFormat(undefined, {dateStyle: 'medium'});

export const number = (value) => GROUPED.format(value);

/** Formats a rate; small ones with one decimal. */
export const rate = (value) => (value < 10 ? TENTHS : GROUPED).format(value);

export const percent = (part, whole) => (whole === 0 ? '0 %' : `${TENTHS.format(100 * part / whole)} %`);

/** Formats microseconds for people. */
export const micros = (value) => (value < 1000 ? `${number(value)} µs` : `${TENTHS.format(value / 1000)} ms`);

export const clock = (millis) => CLOCK.format(new Date(millis));

/** Formats a point in time. Leaves out the date if it is today. */
export function moment(text) {
  const then = new Date(text);
  return then.toDateString() === new Date().toDateString() ? clock(then) : `${DAY.format(then)} ${clock(then)}`;
}

/** Formats a duration, to the second below an hour. */
export function span(millis) {
  const seconds = Math.max(0, Math.ceil(millis / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  } else if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  } else if (seconds < 2 * 86400) {
    return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
  }
  return `${Math.floor(seconds / 86400)} days`;
}

/** Formats a key: {@code user=alice, ip/24=203.0.113.0/24}. A key without parts counts everybody together. */
export function keyText(parts, values) {
  return values.length === 0 ? 'everybody' : values.map((value, i) => `${parts[i] ?? '?'}=${value ?? '(absent)'}`).join(', ');
}

/** Formats the place of an error in a file. */
export const place = ({file, line, column}) => `${file}:${line}:${column}`;
