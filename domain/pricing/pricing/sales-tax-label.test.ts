/** Tests the sales tax's label and footnote when the tax is an estimate, and that no other file writes them by hand. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { priceCart, salesTaxName, salesTaxNote, salesTaxText } from './pricing.ts'
import { ORDER } from './price-input.example.ts'
import { totalsOf } from '#ucp/totals.ts'

const base = { isExempt: false, ratePpm: 62_500, basis: 'state-base' } as const

test.for([
  ['a state’s base rate', base, 'Estimated sales tax', 'State rate, without local tax'],
  ['a rate by ZIP', { ...base, basis: 'destination' }, 'Sales tax', ''],
  ['an unanswered tax provider', { ...base, basis: 'destination', estimatedBy: 'table' }, 'Estimated sales tax', ''],
  ['a certificate', { ...base, isExempt: true }, 'Sales tax', ''],
  ['a state without sales tax', { ...base, ratePpm: 0 }, 'Sales tax', ''],
] as const)('%s', ([, tax, name, note]) => {
  expect(salesTaxName(tax)).toEqual(name)
  expect(salesTaxNote(tax)).toEqual(note)
  expect(salesTaxText(tax)).toBe(note === '' ? name : `${name}. ${note}`)
})

test('the summary and the totals for shopping agents have the label and the footnote', () => {
  const priced = priceCart(ORDER)
  const row = priced.explain.find(({ key }) => key === 'sales-tax')
  expect(row?.label.startsWith(salesTaxName(priced.tax))).toBe(true)
  expect(row?.detail).toContain(salesTaxNote(priced.tax))
  expect(totalsOf(priced).find(({ type, amount }) => type === 'tax' && amount === row?.cents)?.display_text).toBe(
    `${row?.label} (${row?.detail})`,
  )
})

/** Texts that start with the tax's name as an office section or a file. */
const sectionNames = [
  'app/office/navigation.ts',
  'domain/operations/reports/reports.ts',
  'app/routes/office/settings/sales-tax.tsx',
]

test('no other file writes the label or the footnote by hand', () => {
  const written = globSync('{adapters,api,app,content,cxml,domain,http,mcp,ucp,widget}/**/*.{ts,tsx,md}', {
    exclude: (name) => /\.(?:test|testing)\.ts$/.test(name),
  }).filter((name) => {
    if (sectionNames.includes(name) || name === 'domain/pricing/pricing/sales-tax-label.ts') return false
    const source = readFileSync(name, 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    const isLabel = /(['"`>])\s*(?:Estimated )?[Ss]ales tax(?:\1|<|[,:.]? ?\$\{)|State rate, without local tax/
    return isLabel.test(source) || (name.startsWith('content/mail/') && /sales tax/i.test(source))
  })
  expect(written).toEqual([])
})
