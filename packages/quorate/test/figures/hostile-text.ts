import fc from 'fast-check'

/** Text that an attacker might put into an ID, a group, an option or the name of an agent. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  ']]>',
  '<!--',
  '</title></svg></style></script><script>alert(2)</script>',
  '&lt;b&gt;&#x3c;',
  'right\u202eto left',
  '\u0000\u001b[31mred\u0007',
  '\ud800 half a pair',
  'javascript:alert(1)',
  '{{alert(1)}}',
  'x'.repeat(10_000),
  '<b>'.repeat(3400),
  '',
]

export const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 60 }))
