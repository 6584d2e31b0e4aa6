import { expect, test } from 'vitest'
import { countHits, passagesOfCode, passagesOfMarkdown } from './check-english.ts'
import { englishPatterns } from './english-patterns.ts'

test.for(englishPatterns)('the pattern $key counts its example once', ({ key, example }) => {
  const hits = englishPatterns.filter((pattern) => countHits(pattern, example) > 0)
  expect(hits.map((pattern) => pattern.key)).toEqual([key])
  expect(hits.map((pattern) => countHits(pattern, example))).toEqual([1])
})

test.for([
  'Your order has shipped. Track it with the link below.',
  'Select a shop, then choose a time for your installation.',
  'Who can view this page?',
  'What is a work order?',
  'The number of requests exceeds the rate limit. Try again in one minute.',
  'Returns the list of orders for the customer, sorted by date.',
  'Users with the Manager role can approve refunds above the limit.',
  'If the payment fails, we release the reservation and notify the customer by email.',
  'Use the default: a token from the sign-in service. See https://example.com.',
  'Starts a transaction and retries it on serialization failures.',
])('ordinary sentence: %s', (sentence) => {
  expect(englishPatterns.filter((pattern) => countHits(pattern, sentence) > 0)).toEqual([])
})

test('code has comments, visible sentences and test titles', () => {
  const source = `/** Returns the open orders.\n * @returns newest first */
import x from 'Some module name'
const a = 'Your order has shipped.'
// The first line
// and the second.
const b = \`Pay \${amount} by the due date\`
const c = <p>We’ll email you {when} about it.</p>
`
  expect(passagesOfCode('a.tsx', source)).toEqual([
    { corpus: 'comments', path: 'a.tsx', line: 1, text: 'Returns the open orders.' },
    { corpus: 'comments', path: 'a.tsx', line: 1, text: '@returns newest first' },
    { corpus: 'ui', path: 'a.tsx', line: 3, text: 'Some module name' },
    { corpus: 'ui', path: 'a.tsx', line: 4, text: 'Your order has shipped.' },
    { corpus: 'comments', path: 'a.tsx', line: 5, text: 'The first line and the second.' },
    { corpus: 'ui', path: 'a.tsx', line: 7, text: 'Pay X by the due date' },
    { corpus: 'ui', path: 'a.tsx', line: 8, text: 'We’ll email you' },
  ])
  expect(
    passagesOfCode('a.test.ts', "test('rejects an expired coupon', () => {})\ntest.for([1])('adds %i to it', f)"),
  ).toEqual([
    { corpus: 'tests', path: 'a.test.ts', line: 1, text: 'rejects an expired coupon' },
    { corpus: 'tests', path: 'a.test.ts', line: 2, text: 'adds %i to it' },
  ])
})

test('Markdown has paragraphs and list items, without code', () => {
  const source =
    '# Set up\n\nRun `npm start`\nto start it.\n\n```\nnothing of this\n```\n\n- First [a link](x.md) here\n- Second item here\n'
  expect(passagesOfMarkdown('docs/a.md', source).map(({ line, text }) => [line, text])).toEqual([
    [3, 'Run x to start it.'],
    [10, '- First a link here'],
    [11, '- Second item here'],
  ])
  expect(passagesOfMarkdown('content/mail/a.md', 'Your order has shipped.')[0]?.corpus).toBe('ui')
})
