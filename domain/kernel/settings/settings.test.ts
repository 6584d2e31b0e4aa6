import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { contrastOf } from '#platform/contrast.ts'
import { colorFaults, colorFaultText, settingsForm, tokenColors } from './settings.ts'

test('the reference colors match the style sheet', async () => {
  const tokens = await readFile(new URL('../../../app/ui/styles/tokens.css', import.meta.url), 'utf8')
  for (const [name, color] of Object.entries(tokenColors)) expect(tokens).toContain(`--${name}: ${color};`)
})

test('contrast matches WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
  expect(contrastOf('#123456', '#123456')).toBe(1)
})

test('the standard colors can be read, and 4.5 to 1 is the border', () => {
  expect(colorFaults({ accent: null, dark: null })).toEqual([])
  // #858585 and #868686 are the last below and the first above 4.5 to 1 under the standard dark text.
  const ratio = (accent: string) => contrastOf(accent, tokenColors.ink)
  expect(ratio('#7d7d7d')).toBeLessThan(4.5)
  expect(colorFaults({ accent: '#7d7d7d', dark: null })).toHaveLength(1)
  expect(ratio('#868686')).toBeGreaterThanOrEqual(4.5)
  expect(colorFaults({ accent: '#868686', dark: null })).toHaveLength(0)
})

test('a color is compared with the other color, not with the default', () => {
  expect(colorFaults({ accent: '#888888', dark: '#000000' })).toEqual([])
  expect(colorFaults({ accent: '#888888', dark: '#2a2a3a' }).map(({ color }) => color)).toContain('accent-color')
})

test('a ratio just below the limit is not said to meet it', () => {
  expect(colorFaultText({ color: 'accent-color', against: 'white', ratio: 4.499 })).toBe(
    'This color is 4.4 to 1 against white. Text can be read from 4.5 to 1.',
  )
})

test.for([
  ['750', 75_000],
  ['$1,250.50', 125_050],
  ['0', 0],
  ['100000', 10_000_000],
] as const)('%s of dollars are %d cents', ([typed, cents]) => {
  const form = {
    name: 'A',
    phone: '(800) 555-0142',
    email: 'a@example.com',
    returnAddress: '1 Dock Road, Gary, IN 46402',
    noShowPay: '15',
    payHoldHours: '46',
    payDisputeDays: '7',
    payAlone: '100',
    dailyAlone: '5000',
    discountAlone: '30',
  }
  const read = settingsForm.parse({ ...form, refundAlone: typed, quoteMarginFloor: '7.5 %', seen: '0' })
  expect(read.refundAlone).toEqual(cents)
  expect(read.quoteMarginFloor).toBe(75_000)
  expect(read.accentColor).toBeNull()
})
