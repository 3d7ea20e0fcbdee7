/** Line charts over time, drawn by Chart.js, without animation. */

/* global Chart */

const dark = matchMedia('(prefers-color-scheme: dark)');
const drawn = new Set();
dark.addEventListener('change', () => drawn.forEach((lines) => lines.color()));

const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Makes a color of the page, #rrggbb, translucent. */
const soft = (color) => `${color}38`;
const WIDTH_OF_TEXT = 90;
const STEPS = [5, 10, 15, 30, 60, 120, 300];

/** Draws spans of seconds behind the lines. */
const bands = {
  id: 'bands',
  beforeDatasetsDraw(chart, _, {runs = []}) {
    const {ctx, chartArea: {left, right, top, bottom}, scales: {x}} = chart;
    ctx.save();
    ctx.fillStyle = colorOf('band');
    for (const [from, to] of runs) {
      const begin = Math.max(left, x.getPixelForValue(from));
      const end = Math.min(right, x.getPixelForValue(to));
      if (end > begin) {
        ctx.fillRect(begin, top, Math.max(2, end - begin), bottom - top);
      }
    }
    ctx.restore();
  },
};

/** Returns the spans in which a list is not zero, as [first, after the last] in seconds. */
export function runs(list, from) {
  const found = [];
  list.forEach((value, i) => {
    if (value) {
      const last = found.at(-1);
      if (last && last[1] === from + i) {
        last[1] = from + i + 1;
      } else {
        found.push([from + i, from + i + 1]);
      }
    }
  });
  return found;
}

export class Lines {
  /**
   * @param series each {name, label, color, stack, dashed}; series with the same stack are stacked
   * @param words {x: formats seconds, y: formats a value}
   * @param isSmall true for a chart without axes
   */
  constructor(canvas, series, words, isSmall = false) {
    this.series = series;
    this.chart = new Chart(canvas, {
      type: 'line',
      data: {datasets: series.map((one) => this.#dataset(one, isSmall))},
      options: {
        animation: false, parsing: false, normalized: true, maintainAspectRatio: false,
        events: isSmall ? [] : undefined,
        interaction: {mode: 'index', intersect: false},
        layout: {padding: isSmall ? 1 : {top: 6}},
        plugins: {
          legend: {display: false},
          tooltip: {
            enabled: !isSmall, displayColors: true, boxPadding: 4,
            callbacks: {title: ([item]) => words.x(item.parsed.x), label: ({dataset, parsed}) => ` ${dataset.label}: ${words.y(parsed.y)}`},
          },
          bands: {runs: []},
        },
        scales: {
          x: {
            type: 'linear', display: !isSmall, border: {display: false}, grid: {display: false},
            ticks: {maxRotation: 0, autoSkip: false, callback: (value) => words.x(value)},
            afterBuildTicks: (axis) => { axis.ticks = this.#ticks(axis); },
          },
          y: {
            beginAtZero: true, stacked: series.some((one) => one.stack), display: !isSmall, grace: isSmall ? 0 : '8%', suggestedMax: 1,
            border: {display: false}, ticks: {maxTicksLimit: 5, padding: 6, precision: 0, callback: (value) => words.y(value)},
          },
        },
      },
      plugins: [bands],
    });
    drawn.add(this);
    this.color();
  }

  #dataset({name, label, stack, dashed}, isSmall) {
    return {
      label, data: [], stack: stack ?? name, pointRadius: 0, pointHoverRadius: isSmall ? 0 : 3, borderWidth: isSmall ? 1.25 : 1.75,
      borderDash: dashed ? [5, 4] : [], tension: 0, spanGaps: false, fill: stack ? 'stack' : false,
    };
  }

  #ticks({min, max, width}) {
    const most = Math.max(2, Math.floor(width / WIDTH_OF_TEXT));
    const step = STEPS.find((one) => (max - min) / one <= most) ?? STEPS.at(-1);
    const ticks = [];
    for (let value = Math.ceil(min / step) * step; value <= max; value += step) {
      ticks.push({value});
    }
    return ticks;
  }

  /** Applies the colors of the page, which follow the system's light or dark mode. */
  color() {
    const {data, options} = this.chart;
    this.series.forEach(({color}, i) => {
      const line = colorOf(color);
      data.datasets[i].borderColor = line;
      data.datasets[i].pointBackgroundColor = line;
      data.datasets[i].backgroundColor = soft(line);
    });
    const quiet = colorOf('quiet');
    options.scales.x.ticks.color = quiet;
    options.scales.y.ticks.color = quiet;
    options.scales.y.grid = {color: colorOf('grid')};
    this.chart.update('none');
  }

  /** @param lists one list per series; index i is the second from + i */
  show({from, span, lists, shaded = []}) {
    const length = lists[0].length;
    const first = Math.max(0, length - span - 1);
    this.chart.data.datasets.forEach((dataset, i) => {
      dataset.data = [];
      for (let j = first; j < length; j++) {
        dataset.data.push({x: from + j, y: lists[i][j] ?? NaN});
      }
    });
    const {options} = this.chart;
    options.scales.x.max = from + length - 1;
    options.scales.x.min = from + length - 1 - span;
    options.plugins.bands.runs = shaded;
    this.chart.update('none');
  }

  remove() {
    drawn.delete(this);
    this.chart.destroy();
  }
}
