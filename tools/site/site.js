/** The theme and the search of the documents. Pages work without it. */
const root = document.documentElement
const stored = readTheme()
if (stored !== null) root.dataset.theme = stored

document.addEventListener('DOMContentLoaded', () => {
  startMenu()
  startTheme()
  startSearch()
})

/** Opens the menu if there is room beside the text. Without scripts it is open too. */
function startMenu() {
  const menu = document.getElementById('menu')
  const wide = matchMedia('(min-width: 900px)')
  const follow = () => {
    menu.open = wide.matches
  }
  wide.addEventListener('change', follow)
  follow()
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
}

function startTheme() {
  const button = document.getElementById('theme')
  button.hidden = false
  button.addEventListener('click', () => {
    const isDark =
      root.dataset.theme === 'dark' || (!root.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches)
    root.dataset.theme = isDark ? 'light' : 'dark'
    try {
      localStorage.setItem('quorate-theme', root.dataset.theme)
    } catch {} // Private windows keep nothing.
  })
}

function readTheme() {
  try {
    const theme = localStorage.getItem('quorate-theme')
    return theme === 'dark' || theme === 'light' ? theme : null
  } catch {
    return null
  }
}

const MOST_RESULTS = 12

function startSearch() {
  const field = document.getElementById('search')
  const list = document.getElementById('found')
  field.parentElement.hidden = false
  field.addEventListener('focus', loadIndex, { once: true })
  field.addEventListener('input', () => show(field, list))
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click()
    if (event.key === 'ArrowDown') list.querySelector('a')?.focus()
    if (event.key === 'Escape') {
      field.value = ''
      show(field, list)
    }
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea')) return
    event.preventDefault()
    field.focus()
  })
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.search')) list.hidden = true
  })
}

function loadIndex() {
  const script = document.createElement('script')
  script.src = `${document.body.dataset.root}search.js`
  script.addEventListener('load', () => document.getElementById('search').dispatchEvent(new Event('input')))
  document.head.append(script)
}

function show(field, list) {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length === 0 ? [] : search(globalThis.quorateSearch ?? [], words)
  list.replaceChildren(...found.map(resultItem))
  if (words.length > 0 && found.length === 0) {
    const item = document.createElement('li')
    item.textContent = globalThis.quorateSearch ? 'Nothing found.' : 'Loading ...'
    list.append(item)
  }
  list.hidden = words.length === 0
}

/** Sections that have every word, those with words in their heading first. */
function search(entries, words) {
  return entries
    .flatMap(([page, heading, path, text]) => {
      const head = `${page} ${heading}`.toLowerCase()
      const all = `${head} ${text.toLowerCase()}`
      if (!words.every((word) => all.includes(word))) return []
      return [{ page, heading, path, score: words.filter((word) => head.includes(word)).length }]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_RESULTS)
}

function resultItem({ page, heading, path }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = document.body.dataset.root + path
  const small = document.createElement('small')
  small.textContent = page
  link.append(small, heading === '' ? page : heading)
  item.append(link)
  return item
}
