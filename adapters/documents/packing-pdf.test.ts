import { expect, test } from 'vitest'
import type { PackingSlip } from '#domain/ordering/parcels/packing-slip.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { renderPackingSlipsPdf, renderPickListPdf } from './packing-pdf.ts'

const slip: PackingSlip = {
  store: 'Sidewall',
  orderNumber: 'S-104921',
  parcel: 'Parcel 1 of 2',
  placedOn: 'Nov 20, 2026',
  from: ['Sidewall', '100 Prairie Dock Parkway', 'Joliet, IL 60436'],
  shipTo: ['Dana Ruiz', '1 Elm St </stack>', 'Chicago, IL 60614'],
  tracking: 'UPS 1Z999AA10123456784',
  items: [{ quantity: 4, sku: 'KST-AT2-2256517', name: 'Kestrel Alltide AS2', size: '225/65R17', bin: 'A-04-2' }],
  count: '4 tires in this parcel',
  sample: false,
}

test('a packing slip names order, address, items and tracking, a page a parcel, and no price', async () => {
  const bytes = await renderPackingSlipsPdf([slip, { ...slip, parcel: 'Parcel 2 of 2' }])
  const text = readPdf(bytes)
  for (const part of [
    'S-104921',
    'Parcel 2 of 2',
    'Dana Ruiz',
    '1 Elm St </stack>',
    'KST-AT2-2256517',
    '1Z999AA10123456784',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('$')
  expect(text).not.toContain('Demo')
  const file = Buffer.from(bytes).toString('latin1')
  expect(file.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2)
  expect(file).toMatch(/MediaBox \[0 0 612(?:\.0+)? 792(?:\.0+)?\]/)
})

test('a pick list has a row per SKU with its bin, and an empty state', async () => {
  const row = {
    bin: 'A-04-2',
    sku: 'KST-1',
    name: 'Kestrel Alltide',
    size: '225/65R17',
    quantity: 4,
    order: 'S-1',
    shipsBy: 'Today',
  }
  const list = { store: 'Sidewall', printedAt: '9:00 AM CT' }
  const text = readPdf(
    await renderPickListPdf({
      ...list,
      warehouses: [{ title: 'JOL Joliet', cutoff: '4:00 PM CT', rows: [row], count: '1 parcel, 4 tires' }],
    }),
  )
  for (const part of ['JOL Joliet', 'Cutoff 4:00 PM CT', 'A-04-2', 'KST-1', 'S-1', 'Today'])
    expect(text).toContain(part)
  expect(readPdf(await renderPickListPdf({ ...list, warehouses: [] }))).toContain('No parcels to pack.')
})
