/**
 * The tokens of a language that get a colour: comments, strings and keywords. Nothing is parsed, so nothing can be
 * hidden.
 */
const TOKENS: Readonly<Record<string, RegExp>> = {
  ts: /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\b(?<word>import|export|from|const|let|type|async|await|function|return|if|else|for|of|new|throw|try|catch|null|true|false|interface|readonly)\b/g,
  python:
    /(?<comment>#[^\n]*)|(?<string>f?"(?:\\.|[^"\\\n])*"|f?'(?:\\.|[^'\\\n])*')|\b(?<word>import|from|def|class|return|if|elif|else|for|in|while|with|as|try|except|raise|yield|None|True|False|not|and|or|lambda|pass)\b/g,
  sh: /(?<comment>(?<=^|\s)#[^\n]*)|(?<string>'[^'\n]*'|"(?:\\.|[^"\\\n])*")|(?<word>(?<=\s)--[\w-]+)/g,
  yaml: /(?<comment>(?<=^|\s)#[^\n]*)|(?<string>'[^'\n]*'|"(?:\\.|[^"\\\n])*")|(?<word>[\w.-]+(?=:(?:\s|$)))/gm,
  json: /(?<word>"(?:\\.|[^"\\\n])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\\n])*")|(?<comment>(?!))/g,
}
const SAME: Readonly<Record<string, string>> = { js: 'ts', mjs: 'ts', tsx: 'ts', jsonl: 'json', bash: 'sh', conf: 'sh' }

/** Code as HTML. */
export function highlight(code: string, language: string): string {
  const pattern = TOKENS[SAME[language] ?? language]
  if (pattern === undefined) return escaped(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['string']
    html += `${escaped(code.slice(end, match.index))}<span class="${kind}">${escaped(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escaped(code.slice(end))
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
