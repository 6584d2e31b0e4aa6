import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fallbackMetrics, LETTERS, makeFont, type FontName } from './make-fonts.ts'

const everywhere = ['archivo', 'inter'] as const
const styles = new URL('../../app/ui/styles/', import.meta.url)

function committed(name: FontName): Buffer {
  return readFileSync(new URL(`../../app/ui/fonts/${name}.woff2`, import.meta.url))
}

test.for([...everywhere, 'wordmarks'] as const)('the committed %s is cut from the package', async (name) => {
  expect(committed(name).equals(await makeFont(name))).toBe(true)
})

test('the fonts of every page together stay under 45 kB', () => {
  expect(everywhere.reduce((sum, name) => sum + committed(name).length, 0)).toBeLessThan(45_000)
})

test.for(everywhere)('the system font in place of %s takes the same room', (name) => {
  const { size, ascent, descent } = fallbackMetrics(name)
  const tokens = readFileSync(new URL('tokens.css', styles), 'utf8')
  const face = new RegExp(`"${name === 'archivo' ? 'Archivo' : 'Inter'} in Arial";([^}]*)`).exec(tokens)?.[1] ?? ''
  expect(face).toContain(`size-adjust: ${size};`)
  expect(face).toContain(`ascent-override: ${ascent};`)
  expect(face).toContain(`descent-override: ${descent};`)
})

test('the display font is used only in included weights and widths', () => {
  const sheets = readdirSync(styles).filter((name) => name.endsWith('.css'))
  const asked = sheets.flatMap((name) => [
    ...readFileSync(new URL(name, styles), 'utf8').matchAll(/font: (\d{3}) [^;]*var\(--display\)/g),
  ])
  expect(asked.length).toBeGreaterThan(10)
  expect([...new Set(asked.map(([, weight]) => Number(weight)))].toSorted((a, b) => a - b)).toEqual([700, 800])
})

test('what the store writes is in the fonts', () => {
  for (const letter of 'Kestrel Alltide 225/65R17 102H – $1,034.50 × ½″ “Ready” Zoë’s Café • Québec → ✓')
    expect(LETTERS).toContain(letter)
})
