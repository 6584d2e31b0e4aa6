import { expect, test } from 'vitest'
import { xmlText } from './xml.ts'

test("XML's special characters are escaped, and those it cannot contain are removed", () => {
  expect(xmlText(`Alder & Stone <"'> é 🛞`)).toBe('Alder &amp; Stone &lt;&quot;&apos;&gt; é 🛞')
  expect(xmlText('a\u0000b\u001bc\uFFFEd\uD800e\tf\n')).toBe('abcde\tf\n')
})
