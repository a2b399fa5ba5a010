import { withoutRegions } from './regions.ts'
import { scanTags } from './scan-tags.ts'

const DEEPEST = 6

/**
 * The words as they stand, then with one coat of decoration after the other taken off: markup, bold, quotes, brackets,
 * `Option`, a full stop. The first that is an option wins, so that an option may itself look like `(B)` or `**`.
 */
export function unwrapped(words: string): readonly string[] {
  const forms = [words.trim()]
  const bare = withoutRegions(words, scanTags(words), ' ').trim()
  if (bare !== '' && bare !== forms[0]) forms.push(bare)
  let current = bare.normalize('NFKC')
  if (current !== bare) forms.push(current)
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next = COATS.reduce<string | null>((found, coat) => found ?? without(current, coat), null)
    if (next === null) break
    forms.push(next)
    current = next
  }
  return forms
}

interface Coat {
  readonly pattern: RegExp
}

/** Each pattern's first group is what is inside. None repeats a group inside a repetition: linear on any text. */
const COATS: readonly Coat[] = [
  { pattern: /^\\(?:boxed|text|mathrm|textbf|mathbf)\{([^{}]*(?:\{[^{}]*\})?)\}$/su },
  { pattern: /^(?:\*{1,3}|_{1,3}|`{1,3}|~~)([^*_`~].*[^*_`~]|[^*_`~])(?:\*{1,3}|_{1,3}|`{1,3}|~~)$/su },
  { pattern: /^\\?[([{$]{1,2} ?(.*[^ ]) ?\\?[)\]}$]{1,2}$/su },
  { pattern: /^["'“”‘’«»„「『](.*)["'“”‘’«»」』]$/su },
  {
    pattern:
      /^(?:the |my )?(?:final |correct |best )?(?:option|choice|answer|letter|alternative)(?: is)? ?[:#.-]? ?(.+)$/isu,
  },
  { pattern: /^(.*[^.,;:!)\]])[.,;:!)\]]$/su },
  { pattern: /^[#•→▶✅✔=>-] ?(.+)$/su },
]

function without(words: string, { pattern }: Coat): string | null {
  const inside = pattern.exec(words)?.[1]?.trim()
  return inside === undefined || inside === '' || inside === words ? null : inside
}
