import { describe, expect, test } from 'vitest'
import { parsePlace } from '../../src/app/place.ts'

describe('an address of the app', () => {
  test('has a page, a path and a query', () => {
    const { page, rest, query } = parsePlace('#/debates/run/a%2Fb%20%25?q=x+y')
    expect([page, rest, query.get('q')]).toEqual(['debates', ['run', 'a/b %'], 'x y'])
  })

  test.each(['__proto__', 'constructor', 'toString', '%', '%ff', ''])(
    'with the page %j, which no page has, is read like any other',
    (page) => {
      expect(parsePlace(`#/${page}/x`)).toMatchObject({ page, rest: ['x'] })
    },
  )
})
