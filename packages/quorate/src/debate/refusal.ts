const LONGEST_LOOK = 2000

/** Whether a reply without an answer declines to give one, in the words that models use. */
export function isRefusal(text: string): boolean {
  return REFUSAL.test(text.slice(0, LONGEST_LOOK).replaceAll('’', "'"))
}

const REFUSAL =
  /\bI(?:'m| am)? (?:(?:really |very |so )?sorry|apologi[sz]e|cannot|can't|can not|could not|couldn't|won't|will not|unable to|not able to|not comfortable|must decline|have to decline|decline to|refuse to|would rather not|do not feel comfortable)\b|\bas an? (?:AI|large language model|language model)\b|\b(?:against|violates?) (?:my|our|the) (?:policy|policies|guidelines)\b|\bunable to (?:assist|help|answer|comply)\b/iu
