/** Act, defer and wrong have one shape each, and colours that are distinguishable with every common colour blindness. */
const LIGHT = {
  ground: '#ffffff',
  ink: '#14202b',
  soft: '#4a5866',
  rule: '#e2e7ec',
  act: '#0b6f9c',
  defer: '#b06f00',
  wrong: '#b3143f',
  slack: '#a3b0bc',
  envelope: '#e6ebef',
}

const DARK: typeof LIGHT = {
  ground: '#12181f',
  ink: '#e9eff4',
  soft: '#a8b6c3',
  rule: '#27323d',
  act: '#58bde6',
  defer: '#e3a83b',
  wrong: '#ff7f98',
  slack: '#5f7080',
  envelope: '#28343f',
}

/** The colours as CSS variables of `selector`, light or dark by the reader's system setting. */
export function paletteStyle(selector: string): string {
  return `${selector}{color-scheme:light dark;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){${selector}{${variables(DARK)}}}
@media print{${selector}{${variables(LIGHT)}}}`
}

function variables(colours: typeof LIGHT): string {
  return Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}

/** The style of figures, given the variables of the palette. Text never gets smaller than the sizes given here. */
export const FIGURE_STYLE = `.figure{display:block;max-width:100%;height:auto;background:var(--ground)}
.figure text{font:12px/1.2 system-ui,sans-serif;font-variant-numeric:tabular-nums;fill:var(--ink);unicode-bidi:plaintext}
.figure .soft{fill:var(--soft)}
.figure .small{font-size:11px}
.figure .strong{font-weight:600}
.figure .end{text-anchor:end}
.figure .middle{text-anchor:middle}
.figure .rule{stroke:var(--rule);stroke-width:1;fill:none}
.figure .threshold{stroke:var(--ink);stroke-width:3;fill:none}
.figure .budget{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:6 4;fill:none}
.figure .guide{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 3;fill:none}
.figure .leader{stroke:var(--soft);stroke-width:.75;fill:none}
.figure .act{fill:var(--act)}
.figure .defer{fill:var(--defer)}
.figure .wrong{fill:var(--wrong)}
.figure .act-line{stroke:var(--act);stroke-width:2;fill:none}
.figure .defer-line{stroke:var(--defer);stroke-width:2;fill:none}
.figure .wrong-line{stroke:var(--wrong);stroke-width:2.25;fill:none;stroke-linecap:round}
.figure .thin{stroke-width:1}
.figure .thick{stroke-width:7}
.figure .faint{opacity:.28}
.figure .wash{opacity:.14}
.figure .slack{fill:var(--slack)}
.figure .envelope{fill:var(--envelope);stroke:var(--slack);stroke-dasharray:3 2}
.figure .mean{stroke:var(--ink);stroke-width:1.5}
.figure .other{fill:var(--ground);stroke:var(--ink);stroke-width:1.5}
.figure .ring{fill:var(--ground);stroke:var(--act);stroke-width:2}
.figure .track{fill:var(--rule);opacity:.55}
.figure .halo{stroke:var(--ground);stroke-width:3;paint-order:stroke}`
