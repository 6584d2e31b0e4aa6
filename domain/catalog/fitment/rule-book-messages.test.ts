/** The messages match the rule book word for word, except for variable parts such as a speed. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('./', import.meta.url)
const plain = (text: string) => text.replaceAll("\\'", "'").replaceAll('’', "'").replaceAll(/\s+/g, ' ')

test('the rules use the messages of the rule book', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
  const rules = plain(names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n'))
  const messages = readFileSync(new URL('fixtures/rule-book-messages.txt', folder), 'utf8').trimEnd().split('\n')
  expect(messages.length).toBeGreaterThan(30)
  expect(messages.filter((message) => !rules.includes(message))).toEqual([])
})
