import { FIGURE_STYLE, paletteStyle } from '../figures/palette.ts'

/** The style of the report, for light and dark, wide and narrow screens, and print. */
export const PAGE_STYLE = `${paletteStyle(':root')}
${FIGURE_STYLE}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
.skip{position:absolute;left:-999px}
.skip:focus{left:16px;top:8px;background:var(--ground);padding:4px 8px;outline:2px solid var(--act)}
header,main,footer{max-width:1200px;margin:0 auto;padding:0 24px}
header{padding-top:32px}
h1{font-size:26px;line-height:1.2;margin:0 0 6px;overflow-wrap:anywhere}
h2{font-size:19px;line-height:1.3;margin:0 0 4px}
h3{font-size:15px;margin:0 0 2px}
p{margin:0 0 10px;max-width:76ch}
section{border-top:1px solid var(--rule);padding:22px 0 26px;margin:0}
.lead{color:var(--soft);margin-bottom:14px;max-width:none}
.soft,.reading,caption{color:var(--soft)}
.reading{font-size:14px;margin-bottom:12px;max-width:64ch}
a{color:var(--act)}
:focus-visible{outline:2px solid var(--act);outline-offset:2px}
nav ul{display:flex;flex-wrap:wrap;gap:2px 16px;list-style:none;margin:0 0 20px;padding:0;font-size:14px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(158px,1fr));gap:18px 24px;margin:14px 0 20px}
.tiles dt{color:var(--soft);font-size:13px}
.tiles dd{margin:0}
.tiles .number{font-size:28px;line-height:1.15;font-weight:600;display:block}
.tiles .interval,.tiles .note{font-size:13px;color:var(--soft);display:block}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr));gap:30px 40px;margin-top:14px}
figure{margin:0;min-width:0}
.narrow{display:none}
.promise{border-left:3px solid var(--ink);padding:2px 0 2px 16px;margin:8px 0 14px;max-width:76ch}
.promise p{max-width:none}
.promise p:last-child{margin:0}
ul.caveats{margin:8px 0 0;padding-left:20px;max-width:72ch}
ul.caveats li{margin-bottom:5px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:14px;width:100%}
caption{text-align:left;font-size:14px;padding-bottom:6px}
th,td{text-align:left;vertical-align:top;padding:6px 14px 6px 0;border-bottom:1px solid var(--rule)}
thead th{font-weight:600;font-size:13px;vertical-align:bottom;color:var(--soft);border-bottom-color:var(--soft)}
tbody th{font-weight:400;white-space:nowrap;position:sticky;left:0;background:var(--ground)}
tr.band th{white-space:normal;position:static}
th.number,td.number{text-align:right;white-space:nowrap}
td .interval{display:block;font-size:12px;color:var(--soft)}
tr.ours th,tr.ours td{font-weight:600}
tr.ours .interval{font-weight:400}
tr.band th{padding-top:16px;color:var(--soft);font-size:13px}
td.long{min-width:220px;max-width:420px;overflow-wrap:anywhere}
.verdict{white-space:nowrap;font-weight:600}
.falsified,.over{color:var(--wrong)}
bdi{overflow-wrap:anywhere}
details{margin-top:14px}
details dl{font-size:14px;max-width:90ch}
details dd{margin:0 0 8px}
details dt{font-weight:600}
summary{cursor:pointer;font-size:14px}
pre{background:var(--envelope);padding:10px 12px;overflow-x:auto;font-size:13px;margin:0 0 12px;white-space:pre-wrap;overflow-wrap:anywhere}
footer{padding-bottom:40px;color:var(--soft);font-size:13px}
@media (max-width:620px){
header,main,footer{padding-left:16px;padding-right:16px}
header{padding-top:20px}
.wide{display:none}
.narrow{display:block}
.narrow .figure{width:100%}
.tiles{grid-template-columns:1fr 1fr;gap:14px 16px}
.tiles .number{font-size:23px}
h1{font-size:22px}
tbody th{white-space:normal;max-width:132px}
th,td{padding-right:10px}
.stacked caption{display:block}
.stacked thead{display:none}
.stacked,.stacked tbody,.stacked tr,.stacked th,.stacked td{display:block;width:auto;max-width:none;text-align:left;border:0;padding:0;position:static}
.stacked tr{border-bottom:1px solid var(--rule);padding:8px 0}
.stacked tbody th{font-weight:600}
.stacked td.number,.stacked td.long{font-size:13px}
.stacked td[data-name]::before{content:attr(data-name) " ";color:var(--soft)}
.stacked td .interval{display:inline;padding-left:6px}
}
@media print{
body{font-size:11px}
nav,.skip{display:none}
section,figure,tr{break-inside:avoid}
details:not([open])>*{display:none}
}`
