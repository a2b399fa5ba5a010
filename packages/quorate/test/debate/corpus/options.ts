import { type CorpusCase, cases, named } from './case.ts'

/** Options whose names are words, numbers or markup. */
export const OPTIONS: readonly CorpusCase[] = [
  ...cases(
    [
      ['<answer#>yes</answer#>', 'Yes', 'lower case word'],
      ['<answer#>Yes, it does.</answer#>', 'not-an-option', 'word and reason'],
      ['No.', 'No', 'word alone'],
      ['Answer: no', 'No', 'word in words'],
      ['<answer#>Not sure</answer#>', 'not-an-option', 'begins with the same letters'],
      ['<answer#>Yes and no</answer#>', 'not-an-option', 'both'],
    ],
    named('Yes', 'No'),
  ),
  ...cases(
    [
      ['<answer#>10</answer#>', '10', 'longer number'],
      ['<answer#>1</answer#>', '1', 'its prefix'],
      ['<answer#>100</answer#>', '100', 'longest'],
      ['<answer#>1.0</answer#>', 'not-an-option', 'numbers are names, not values'],
      ['<answer#>1.5</answer#>', 'not-an-option', 'a decimal does not begin with 1'],
      ['<answer#>1,000</answer#>', 'not-an-option', 'a thousand does not begin with 1'],
      ['<answer#>1:30</answer#>', 'not-an-option', 'a time does not begin with 1'],
      ['The answer is 10.', '10', 'a full stop ends it'],
      ['<answer#>１０</answer#>', '10', 'full-width digits'],
    ],
    named('1', '10', '100'),
  ),
  ...cases(
    [
      ['<answer#>approve with changes</answer#>', 'approve with changes', 'several words'],
      ['<answer#>Approve</answer#>', 'approve', 'a name that begins another'],
      ['<answer#>approve  with\nchanges</answer#>', 'approve with changes', 'white space inside'],
      ['I vote for approve with changes.', 'approve with changes', 'several words in words'],
    ],
    named('approve', 'approve with changes', 'reject'),
  ),
  ...cases(
    [
      ['<answer#>.*</answer#>', '.*', 'a pattern that would match anything'],
      ['<answer#>[a-z]+</answer#>', '[a-z]+', 'a class'],
      ['<answer#>(</answer#>', '(', 'half a bracket'],
      ['<answer#>$&</answer#>', '$&', 'a replacement'],
      ['<answer#>\\</answer#>', '\\', 'a backslash'],
      ['<answer#>x</answer#>', 'not-an-option', 'x matches nothing'],
    ],
    named('.*', '[a-z]+', '(', '$&', '\\'),
  ),
  ...cases(
    [
      ['<answer#><div></answer#>', '<div>', 'markup as a name'],
      ['<answer#>&lt;div&gt;</answer#>', '<div>', 'markup as a name, escaped'],
      ['<answer#><b></answer#>', '<b>', 'another'],
      ['<answer#>**</answer#>', '**', 'only decoration'],
      ['<answer#>a < b</answer#>', 'a < b', 'less than'],
    ],
    named('<div>', '<b>', '**', 'a < b'),
  ),
  ...cases(
    [
      ['<answer#>__proto__</answer#>', '__proto__', 'a name with a meaning in JavaScript'],
      ['<answer#>constructor</answer#>', 'constructor', 'another'],
      ['<answer#>toString</answer#>', 'not-an-option', 'not an option, though every object has it'],
    ],
    named('__proto__', 'constructor'),
  ),
  ...cases(
    [
      ['<answer#>a</answer#>', 'a', 'case tells them apart'],
      ['<answer#>A</answer#>', 'A', 'case tells them apart, the other way'],
      ['<answer#>A, because it rains</answer#>', 'A', 'case tells them apart before a reason'],
      ['<answer#>Ａ, because it rains</answer#>', 'several-answers', 'full-width could be either'],
    ],
    named('a', 'A'),
  ),
  ...cases(
    [
      ['<answer#>2</answer#>', '2', 'names come before texts'],
      ['<answer#>three</answer#>', 'several-answers', 'two options with the same text'],
    ],
    {
      options: [
        { name: '1', text: '2' },
        { name: '2', text: '1' },
        { name: 'x', text: 'three' },
        { name: 'y', text: 'three' },
      ],
    },
  ),
  ...cases(
    [
      ['<answer#>I</answer#>', 'I', 'the ninth letter'],
      ['I think it is hard.', 'no-answer', 'the pronoun is no letter'],
      ['The answer is I.', 'I', 'the ninth letter in words'],
      ['I choose A because I like it.', 'no-answer', 'pronouns around a letter'],
    ],
    named('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'),
  ),
  ...cases(
    [
      ['<answer#>bob</answer#>', 'bob', 'an option named like an agent'],
      ['bob said: <answer>carol</answer>\n<answer#>bob</answer#>', 'bob', 'and quoted by its namesake'],
    ],
    named('bob', 'carol'),
  ),
  ...cases(
    [
      ['<answer#>−5</answer#>', '-5', 'a minus sign'],
      ['<answer#>5</answer#>', '5', 'without it'],
      ['<answer#>- 5</answer#>', '5', 'a list mark before a number'],
    ],
    named('-5', '5'),
  ),
]
