import { expect, test } from 'vitest'
import type { Receipt } from '#domain/ordering/orders/receipt.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { renderReceiptPdf } from './receipt-pdf.ts'

const receipt: Receipt = {
  store: {
    name: 'Sidewall',
    phone: '(800) 555-0142',
    email: 'help@sidewall.example',
    address: '2100 W Fulton St, Chicago, IL 60612',
  },
  soldAt: ['Halsted Tire', 'Dealer code HALSTED'],
  orderNumber: 'S-104921',
  placedOn: 'Nov 20, 2026',
  paidWith: 'Visa ending in 4242, $766.14 charged',
  poNumber: 'PO-7',
  billTo: ['Dana Ruiz', '1 Elm St', 'Chicago, IL 60614'],
  shipTo: ['Halsted Tire', '1430 N Halsted St', 'Chicago, IL 60614'],
  installation: ['Halsted Tire', 'Tue, Nov 24, 9:30 AM'],
  isService: false,
  vehicle: '2021 Toyota RAV4 XLE',
  rows: [
    {
      label: '4 tires at $148.00',
      detail: 'Kestrel Alltide AS2 225/65R17 102H',
      amount: '$592.00',
      kind: 'plain',
    },
    { label: 'Total', detail: '', amount: '$766.14', kind: 'total' },
  ],
  taxNote: 'Sales tax is an estimate from state base rates.',
  sample: true,
}

test('a receipt is a non-empty PDF', async () => {
  const bytes = Buffer.from(await renderReceiptPdf(receipt))
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.subarray(-6).toString()).toContain('%%EOF')
  expect(bytes.length).toBeGreaterThan(5_000)
})

test('a name that looks like markup is printed literally', async () => {
  const bytes = await renderReceiptPdf({
    ...receipt,
    billTo: ['</stack> {{x}} <img src="http://evil.test/x.png">', 'ł é ü'],
  })
  expect(bytes.length).toBeGreaterThan(5_000)
})

test('a receipt names each item once, the seller with address and phone, and the card', async () => {
  const text = readPdf(await renderReceiptPdf(receipt))
  expect(text.split('Kestrel Alltide AS2').length - 1).toBe(1)
  for (const part of ['2100 W Fulton St', '(800) 555-0142', 'Visa ending in 4242', '4 tires at $148.00'])
    expect(text).toContain(part)
})
