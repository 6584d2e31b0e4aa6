import { expect, test } from 'vitest'
import { jobOf, quoteInstallation, type Job, type ShopLimits, type ShopRate, type TireSpec } from './installers.ts'

const tire = (over: Partial<TireSpec> = {}): TireSpec => ({
  quantity: 4,
  rimIn: 17,
  aspect: 65,
  runFlat: false,
  sizeKind: 'P',
  ...over,
})
const limits: ShopLimits = { rimMinIn: 12, rimMaxIn: 22, aspectMin: 35, takesRunFlat: true, takesLightTruck: true }
const rate = (job: Job, over: Partial<ShopRate> = {}): ShopRate => ({
  job,
  rimFromIn: 12,
  rimToIn: 22,
  installCents: 2200,
  serviceKitCents: 600,
  disposalCents: 350,
  minutesPerTire: 12,
  ...over,
})

test.for([
  [{}, 'standard'],
  [{ aspect: 41 }, 'standard'],
  [{ aspect: 40 }, 'low-profile'],
  [{ sizeKind: 'LT' }, 'light-truck'],
  [{ sizeKind: 'FLOTATION', aspect: 40 }, 'light-truck'],
  [{ sizeKind: 'C' }, 'light-truck'],
  [{ sizeKind: 'ST' }, 'standard'],
  [{ runFlat: true, aspect: 35 }, 'run-flat'],
] as const)('%o is a %s job', ([over, job]) => {
  expect(jobOf(tire(over))).toBe(job)
})

test('four tires cost four times the rate and take set-up time plus four times its minutes', () => {
  const quote = quoteInstallation({ limits, rates: [rate('standard')] }, [tire()])
  expect(quote).toMatchObject({
    ok: true,
    value: { installCents: 8800, serviceKitCents: 2400, disposalCents: 1400, minutes: 60 },
  })
})

test('a staggered set is priced and timed per axle, by its own rim and job', () => {
  const rates = [
    rate('standard', { rimToIn: 19 }),
    rate('low-profile', { rimFromIn: 20, installCents: 3000, minutesPerTire: 15 }),
  ]
  const quote = quoteInstallation({ limits, rates }, [
    tire({ quantity: 2, rimIn: 19, aspect: 45 }),
    tire({ quantity: 2, rimIn: 20, aspect: 35 }),
  ])
  expect(quote).toMatchObject({
    ok: true,
    value: {
      installCents: 2 * 2200 + 2 * 3000,
      minutes: 65,
      lines: [
        { job: 'standard', installCents: 2200 },
        { job: 'low-profile', installCents: 3000 },
      ],
    },
  })
})

test.for([
  [{ rimIn: 22 }, {}, []],
  [{ rimIn: 22.5 }, {}, ['rim']],
  [{ rimIn: 10 }, {}, ['rim']],
  [{ aspect: 35 }, {}, []],
  [{ aspect: 30 }, {}, ['aspect']],
  [{ runFlat: true }, { takesRunFlat: false }, ['run-flat']],
  [{ sizeKind: 'LT' }, { takesLightTruck: false }, ['light-truck']],
  [{ sizeKind: 'LT', runFlat: true }, { takesLightTruck: false }, ['light-truck']],
  [{ rimIn: 23, aspect: 30 }, {}, ['rim', 'aspect']],
  [{ rimIn: 20 }, { rimMaxIn: 19 }, ['rim']],
] as const)('%o at a shop with %o: %o', ([spec, shop, faults]) => {
  const everyJob = (['standard', 'low-profile', 'run-flat', 'light-truck'] as const).map((job) => rate(job))
  const quote = quoteInstallation({ limits: { ...limits, ...shop }, rates: everyJob }, [tire(spec)])
  expect(quote.ok ? [] : quote.detail).toEqual(faults)
})

test('a shop without a price for the job does not take it', () => {
  expect(quoteInstallation({ limits, rates: [rate('standard')] }, [tire({ runFlat: true })])).toEqual({
    ok: false,
    reason: 'shop-not-capable',
    detail: ['no-price'],
  })
})
