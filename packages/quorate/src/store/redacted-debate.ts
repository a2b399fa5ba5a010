/** Fields of a debate and of its turns that hold what people or models wrote. */
const TEXT_FIELDS = new Set([
  'text',
  'question',
  'reasoning',
  'rationale',
  'argument',
  'reply',
  'raw',
  'prompt',
  'messages',
  'logprobs',
])

/** The interchange JSON of a debate with its texts null; ids, options' names, answers and beliefs stay. */
export function redactedDebate(json: string): string {
  const debate: unknown = JSON.parse(json)
  if (!isObject(debate)) return json
  const { rounds, options, ...rest } = debate
  const kept: Fields = {
    ...withoutTexts(rest),
    ...(options === undefined ? {} : { options: redactedOptions(options) }),
    ...(Array.isArray(rounds) ? { rounds: rounds.map(redactedRound) } : {}),
  }
  return JSON.stringify(Object.fromEntries(Object.keys(debate).map((name) => [name, kept[name]])))
}

function redactedRound(round: unknown): unknown {
  return Array.isArray(round) ? round.map((turn) => (isObject(turn) ? withoutTexts(turn) : turn)) : null
}

/** A map from names to texts becomes its names, in the order that the format gives them. */
function redactedOptions(options: unknown): unknown {
  if (Array.isArray(options)) return options.map((option) => (isObject(option) ? withoutTexts(option) : option))
  return isObject(options) ? Object.keys(options).sort() : options
}

function withoutTexts(value: Fields): Fields {
  const entries = Object.entries(value).map(([name, member]) => [name, TEXT_FIELDS.has(name) ? null : member] as const)
  return Object.fromEntries(entries)
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
