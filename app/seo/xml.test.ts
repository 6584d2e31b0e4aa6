import { expect, test } from 'vitest'
import { xmlText } from './xml.ts'

test('what XML gives a meaning is escaped, what it cannot hold is left out', () => {
  expect(xmlText(`Alder & Stone <"'> é 🛞`)).toBe('Alder &amp; Stone &lt;&quot;&apos;&gt; é 🛞')
  expect(xmlText('a\u0000b\u001bc\uFFFEd\uD800e\tf\n')).toBe('abcde\tf\n')
})
