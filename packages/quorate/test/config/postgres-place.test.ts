import { expect, test } from 'vitest'
import { postgresPlace } from '../../src/config/postgres-place.ts'

test('a place is shown without user and password, and has twenty connections unless it says otherwise', () => {
  const place = postgresPlace('postgres://ann:secret@db.example.org/quorate')
  expect(place).toEqual({
    kind: 'place',
    host: 'db.example.org',
    text: 'postgres://db.example.org/quorate',
    connections: 20,
  })
  expect(postgresPlace('postgres://db.example.org/quorate?pool_size=8')).toMatchObject({ connections: 8 })
})

test.each(['3', '0', '-1', '1e9', 'ten', '', '10000', '8.5'])(
  'a pool of %j is refused with what is expected',
  (size) => {
    const place = postgresPlace(`postgres://db.example.org/quorate?pool_size=${size}`)
    expect(place).toEqual({ kind: 'refused', expected: 'in ?pool_size= a number from 4 to 9999' })
  },
)

test('a parameter that could name another place is refused, and so is a duplicate', () => {
  for (const query of ['hostaddr=1.2.3.4', 'host=other.example.org', 'sslmode=require&sslmode=disable']) {
    expect(postgresPlace(`postgres://db.example.org/quorate?${query}`)).toMatchObject({ kind: 'refused' })
  }
})
