interface Item {
  readonly question: string
  /** A to D. */
  readonly options: readonly [string, string, string, string]
  readonly gold: 'A' | 'B' | 'C' | 'D'
}

const ITEMS: readonly Item[] = [
  { question: 'What is the capital of France?', options: ['London', 'Paris', 'Rome', 'Berlin'], gold: 'B' },
  { question: 'Which planet is the largest?', options: ['Mars', 'Venus', 'Jupiter', 'Mercury'], gold: 'C' },
  { question: 'What is two and three?', options: ['four', 'five', 'six', 'seven'], gold: 'B' },
  { question: 'Which animal barks?', options: ['cat', 'cow', 'fish', 'dog'], gold: 'D' },
  { question: 'What colour is a clear sky?', options: ['blue', 'red', 'green', 'black'], gold: 'A' },
  { question: 'Which is a fruit?', options: ['chair', 'apple', 'stone', 'car'], gold: 'B' },
  { question: 'How many days has a week?', options: ['five', 'six', 'seven', 'eight'], gold: 'C' },
  { question: 'Which of these can fly?', options: ['horse', 'snake', 'whale', 'eagle'], gold: 'D' },
  { question: 'What do bees make?', options: ['honey', 'milk', 'bread', 'wine'], gold: 'A' },
  { question: 'Which is the coldest?', options: ['fire', 'ice', 'tea', 'sand'], gold: 'B' },
  { question: 'Who writes books?', options: ['a baker', 'a pilot', 'an author', 'a nurse'], gold: 'C' },
  { question: 'Which month comes first?', options: ['May', 'March', 'July', 'January'], gold: 'D' },
  { question: 'What is the capital of Italy?', options: ['Rome', 'Paris', 'Madrid', 'Oslo'], gold: 'A' },
  { question: 'Which is a tool?', options: ['cloud', 'hammer', 'river', 'song'], gold: 'B' },
  { question: 'What is ten and ten?', options: ['twelve', 'fifteen', 'twenty', 'thirty'], gold: 'C' },
  { question: 'Which animal lives in water?', options: ['lion', 'goat', 'hen', 'shark'], gold: 'D' },
  { question: 'What colour is grass?', options: ['green', 'blue', 'pink', 'white'], gold: 'A' },
  { question: 'Which is a drink?', options: ['shoe', 'water', 'brick', 'lamp'], gold: 'B' },
]

/** The first twelve, with their right options. */
export const LABELLED_QUESTIONS = lines(ITEMS.slice(0, 12), 'labelled')

/** Six others, to be decided. */
export const FRESH_QUESTIONS = lines(ITEMS.slice(12), 'fresh')

function lines(items: readonly Item[], kind: string): string {
  const rows = items.map(({ question, options: [A, B, C, D], gold }, index) => {
    const id = `${kind}-${index + 1}`
    return JSON.stringify({ id, question, options: { A, B, C, D }, ...(kind === 'labelled' ? { gold } : {}) })
  })
  return `${rows.join('\n')}\n`
}
