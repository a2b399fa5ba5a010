import { expect, test } from 'vitest'
import { isLoopback } from '../../src/model/loopback.ts'

test.each(['localhost', '127.0.0.1', '127.8.9.1', '127.255.255.255', '::1', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each([
  '',
  'localhost.',
  'localhost.evil.com',
  'evil.localhost',
  '127.0.0.1.evil.com',
  '127.999.1.1',
  '127.0.0.256',
  '127.0.0',
  '127.1',
  '127.0.0.1.',
  ' 127.0.0.1',
  '127.0.0.1\n',
  '0177.0.0.1',
  '127.0.0.01',
  '0x7f.0.0.1',
  '2130706433',
  '128.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '::',
  '::2',
  '[::2]',
  '[::1',
  '::1]',
  '[127.0.0.1]',
  '[::1].evil.com',
  '::ffff:8.8.8.8',
])('%j is not this machine', (host) => {
  expect(isLoopback(host)).toBe(false)
})

test.each([
  `http://${'0177.0.0.1'}`,
  'http://2130706433',
  'http://127.1',
  'http://LOCALHOST',
  'http://[0:0:0:0:0:0:0:1]',
])('the host of the parsed URL %s is this machine', (url) => {
  expect(isLoopback(new URL(url).hostname)).toBe(true)
})
