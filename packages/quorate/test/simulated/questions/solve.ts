/**
 * Solves the simulated questions from their words alone: by counting, trying and stepping, never by the formula that
 * made the question.
 */
export function solve(question: string): string {
  for (const [pattern, answer] of SOLVERS) {
    const match = pattern.exec(question)
    if (match !== null) return answer(match.slice(1), question)
  }
  throw new Error(`no solver for: ${question}`)
}

type Solver = readonly [RegExp, (words: readonly string[], question: string) => string]

const SOLVERS: readonly Solver[] = [
  [
    /machines make \d+ \w+ in (\d+) minutes, .* (\d+) machines need to make (\d+) /,
    (words) => {
      // As many machines as things: each machine makes one thing in these minutes.
      const [minutesForOne, machines, wanted] = numbers(words)
      return text(firstThat((minutes) => machines * Math.floor(minutes / minutesForOne) >= wanted))
    },
  ],
  [
    /doubles its area every \w+ and fills a \w+ after (\d+) /,
    (words) => {
      const [full] = numbers(words)
      const whole = 2 ** full
      return text(firstThat((time) => 2 ** time * 2 === whole))
    },
  ],
  [
    /wall of (\d+) metres climbs (\d+) metres each day and slides back (\d+) each night/,
    (words) => {
      const [wall, up, down] = numbers(words)
      let [height, day] = [up, 1]
      while (height < wall) {
        height += up - down
        day += 1
      }
      return text(day)
    },
  ],
  [
    /packs (\d+) boxes of (\d+) .* takes (\d+) /,
    (words) => {
      const [boxes, each, out] = numbers(words)
      let packed = -out
      for (let box = 0; box < boxes; box++) packed += each
      return text(packed)
    },
  ],
  [
    /costs ([\d,]+) euros\. The price rises by (\d+) % and later falls by (\d+) %/,
    (words) => {
      const [price, rise, fall] = numbers(words)
      const raised = price + (price / 100) * rise
      return text(Math.round(raised - (raised / 100) * fall))
    },
  ],
  [
    /together cost (\d+) euros.* costs (\d+) euros more/,
    (words) => {
      const [total, more] = numbers(words)
      return text(firstThat((cheap) => cheap + (cheap + more) === total))
    },
  ],
  [
    /at (\d+) km\/h and returns on the same road at (\d+) km\/h/,
    (words) => {
      const [there, back] = numbers(words)
      const kilometres = there * back
      return text((2 * kilometres) / (kilometres / there + kilometres / back))
    },
  ],
  [
    /steady (\d+) km\/h.* in (\d+) seconds/,
    (words) => {
      const [speed, seconds] = numbers(words)
      return text((speed * 1000 * seconds) / 3600)
    },
  ],
  [/lasts (\d+)\.(\d) hours/, ([hours = '', tenths = '']) => text(Math.round(Number(`${hours}.${tenths}`) * 60))],
  [
    /measures (\d+) metres by (\d+) metres/,
    (words) => {
      const [length, width] = numbers(words)
      return text(length * 100 * (width * 100))
    },
  ],
  [
    /moves (\d+) litres a minute.* tank of ([\d,.]+) cubic/,
    (words) => {
      const [litres, cubicMetres] = numbers(words)
      return text(Math.round((cubicMetres * 1000) / litres))
    },
  ],
  [
    /runs from (\d+ \w+ \d+) to (\d+ \w+ \d+), both/,
    ([first = '', last = '']) => text(1 + firstThat((days) => after(first, days) === last, 0)),
  ],
  [
    /^(\d+ \w+ \d+) is a (\w+)\. Which day of the week is (\d+ \w+ \d+)/,
    ([first = '', weekday = '', last = '']) => {
      const days = firstThat((count) => after(first, count) === last, 0)
      return WEEKDAYS[(WEEKDAYS.indexOf(weekday) + days) % 7] ?? ''
    },
  ],
  [/sent on (\d+ \w+ \d+) arrives (\d+) days later/, ([first = '', days = '']) => after(first, Number(days))],
  [/Who finished (\w+)\?/, ([place = ''], question) => finisher(question, place)],
  [
    /(\w+) is (\d+) years older than (\w+)\. \3 is (\d+) years younger than (\w+)\. \5 is (\d+) years older than (\w+)/,
    ([, first = '', , second = '', , third = '']) => {
      const b = 100
      const c = b + Number(second)
      return text(b + Number(first) - (c - Number(third)))
    },
  ],
  [
    /is (\d+) metres long.* stand (\d+) metres apart/,
    (words) => {
      const [length, gap] = numbers(words)
      let posts = 0
      for (let metre = 0; metre <= length; metre += gap) posts++
      return text(posts)
    },
  ],
  [
    /(?:^|of )(\d+) (?:people|teams|towns|friends)/,
    (words) => {
      const [count] = numbers(words)
      let pairs = 0
      for (let one = 0; one < count; one++) for (let other = 0; other < one; other++) pairs++
      return text(pairs)
    },
  ],
  [
    /has (\d+) shirts, (\d+) pairs of trousers and (\d+) hats/,
    (words) => {
      const [shirts, trousers, hats] = numbers(words)
      return text(shirts * trousers * hats + shirts * trousers)
    },
  ],
  [
    /numbered (\d+) to (\d+), both/,
    (words) => {
      const [first, last] = numbers(words)
      let count = 0
      for (let ticket = first; ticket <= last; ticket++) count++
      return text(count)
    },
  ],
]

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The date so many days after another, one day at a time. */
function after(date: string, days: number): string {
  let [day, month, year] = dateParts(date)
  for (let step = 0; step < days; step++) {
    day++
    if (day <= (MONTH_DAYS[month] ?? 0) + (month === 1 && year % 4 === 0 ? 1 : 0)) continue
    day = 1
    month = (month + 1) % 12
    if (month === 0) year++
  }
  return `${day} ${MONTHS[month]} ${year}`
}

function dateParts(date: string): [number, number, number] {
  const [day, month = '', year] = date.split(' ')
  return [Number(day), MONTHS.indexOf(month), Number(year)]
}

/** Tries every order of the four and keeps the one that agrees with each clue. */
function finisher(question: string, place: string): string {
  const clues = [...question.matchAll(/(\w+) finished (ahead of|behind) (\w+)/g)]
  const people = [...new Set(clues.flatMap(([, one = '', , other = '']) => [one, other]))]
  const fits = orders(people).filter((order) =>
    clues.every(([, one = '', relation, other = '']) => {
      const isAhead = order.indexOf(one) < order.indexOf(other)
      return isAhead === (relation === 'ahead of')
    }),
  )
  if (fits.length !== 1) throw new Error(`${fits.length} orders fit: ${question}`)
  return fits[0]?.[['first', 'second', 'third', 'last'].indexOf(place)] ?? ''
}

function orders(people: readonly string[]): string[][] {
  if (people.length === 0) return [[]]
  return people.flatMap((first) => orders(people.filter((other) => other !== first)).map((rest) => [first, ...rest]))
}

function firstThat(holds: (count: number) => boolean, from = 1): number {
  for (let count = from; count < 1000; count++) if (holds(count)) return count
  throw new Error('nothing below 1000 fits')
}

function numbers(words: readonly string[]): [number, number, number] {
  const [one = Number.NaN, two = Number.NaN, three = Number.NaN] = words.map((word) => Number(word.replaceAll(',', '')))
  return [one, two, three]
}

function text(value: number): string {
  return value.toLocaleString('en-US')
}
