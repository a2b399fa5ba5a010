import { z } from 'zod'

/** Every message of the schema ends the sentence "KEY must be ...". */
export const whole = (from: number, to: number) => {
  const error = `a whole number from ${from} to ${to}`
  return z.number({ error }).int({ error }).min(from, { error }).max(to, { error })
}

export const between = (from: number, to: number, such: string) => {
  const error = `a number from ${from} to ${to}, such as ${such}`
  return z.number({ error }).min(from, { error }).max(to, { error })
}

export const share = (from: 'above 0' | 'from 0', such: string) => {
  const error = `a number ${from} and below 1, such as ${such}`
  const number = z.number({ error }).lt(1, { error })
  return from === 'above 0' ? number.gt(0, { error }) : number.min(0, { error })
}

export const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(', ')}` })
