/** The reader on the data itself, as the package carries it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isVinChecked } from '#domain/ordering/orders/orders.ts'
import { systemClock } from '#platform/clock.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { createVinDecoder } from './vin-decoder.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

const makes = [
  ['1HGCM82633A004352', 2003, 'Honda', 'Accord', 'EX-V6', null],
  ['1FTFW1ET9DFC10312', 2013, 'Ford', 'F-150', null, null],
  ['2T3RFREV5FW123456', 2015, 'Toyota', 'RAV4', 'XLE (M Grade)', 'ASA44L/ASA42L/AVA44L'],
  ['1C6RR7LT0ES123456', 2014, 'Ram', '1500', 'SLT', null],
  ['1GCVKREC4FZ123456', 2015, 'Chevrolet', 'Silverado', 'LT', '1500'],
  ['WBA3A5G59DNP26082', 2013, 'BMW', '328i', 'SA', '3-Series'],
  ['1FTBR1Y88PKA12345', 2023, 'Ford', 'Transit', null, '250'],
  ['1FDUF5HT9GEA12345', 2016, 'Ford', 'F-550', 'Super Duty - Dual Rear Wheel', null],
  ['7SAYGDEE1NF123456', 2022, 'Tesla', 'Model Y', null, null],
  ['JF2SJAEC4GH123456', 2016, 'Subaru', 'Forester', 'Premium + MR + NAVI', null],
] as const

test('decodes year, make, model, trim, and series of common vehicles, and returns no data for unknown manufacturers', async () => {
  const error = vi.fn<() => void>()
  const decoder = createVinDecoder({ folder: folder.path, clock: systemClock, log: { error } })
  const vins = makes.map(([vin]) => vin)
  expect(vins.filter((vin) => !isVinChecked(vin))).toEqual([])
  const [read, again] = await Promise.all([decoder.decode([...vins, '00000000000000000']), decoder.decode(vins)])
  if (!read.ok || !again.ok) throw new Error('Expected both lists to be decoded.')
  const rows = vins.map((vin) => {
    const { year, make, model, trim, series } = read.value.get(vin) ?? {}
    return [vin, year, make, model, trim, series]
  })
  expect(rows).toEqual(makes)
  expect(read.value.size).toBe(makes.length)
  expect(again.value.size).toBe(makes.length)
  expect(error.mock.calls).toEqual([])
})

test('reports a failed thread as unavailable without stopping the process', async () => {
  const error = vi.fn<() => void>()
  const path = join(folder.path, 'failing.mjs')
  await writeFile(path, 'throw new Error("broken")')
  const decoder = createVinDecoder({
    folder: folder.path,
    clock: systemClock,
    log: { error },
    thread: pathToFileURL(path),
  })
  expect(await decoder.decode(['1HGCM82633A004352'])).toMatchObject({ ok: false, reason: 'unavailable' })
  expect(error).toHaveBeenCalledOnce()
  expect(JSON.stringify(error.mock.calls)).not.toContain('1HGCM82633A004352')
  // More lists than may wait are rejected without a thread.
  const lists = await Promise.all(Array.from({ length: 17 }, () => decoder.decode(['1HGCM82633A004352'])))
  expect(lists.map(({ ok: isRead }) => isRead)).toEqual(lists.map(() => false))
  expect(error).toHaveBeenCalledTimes(17)
})
