import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { context, fitmentInput, openInput, speedLadder, stepped } from './fixtures/arbitraries.ts'
import { judgeFitment } from './fitment.ts'
import { loadOf, speedOf, parseTire, isSameSize, type LoadClass } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { AxleRequirement, BrandListing, FitmentInput, OfferedTire } from './terms.ts'
import { levels, worse, type Level } from './verdict.ts'

const rank = (level: Level) => levels.indexOf(level)
const verdictOf = (input: FitmentInput) => judgeFitment(input).verdict
const rankOf = (input: FitmentInput) => rank(verdictOf(input))

const withTires = (input: FitmentInput, change: (tire: OfferedTire) => OfferedTire): FitmentInput => {
  const { front, rear } = input.candidate
  return { ...input, candidate: { front: front && change(front), rear: rear && change(rear) } }
}
const withRequirements = (
  input: FitmentInput,
  change: (requirement: AxleRequirement) => AxleRequirement,
): FitmentInput => ({
  ...input,
  requirement: {
    ...input.requirement,
    configurations: input.requirement.configurations.map(({ front, rear }) => ({
      front: change(front),
      rear: change(rear),
    })),
  },
})
const raised = <Tire extends AxleRequirement | OfferedTire>(tire: Tire, more: number): Tire => ({
  ...tire,
  loadIndex: tire.loadIndex === undefined ? undefined : tire.loadIndex + more,
  dualLoadIndex: tire.dualLoadIndex === undefined ? undefined : tire.dualLoadIndex + more,
})
const faster = <Tire extends AxleRequirement | OfferedTire>(tire: Tire, steps: number): Tire =>
  tire.speed === undefined || tire.speed === 'ZR' ? tire : { ...tire, speed: stepped(tire.speed, steps) }

const steps = fc.integer({ min: 1, max: 4 })

test('the random cases reach every verdict often enough', () => {
  const seen = new Map<Level, number>()
  for (const input of fc.sample(fitmentInput(), { numRuns: 4_000, seed: 7 })) {
    const verdict = verdictOf(input)
    seen.set(verdict, (seen.get(verdict) ?? 0) + 1)
  }
  for (const level of levels) expect(seen.get(level), level).toBeGreaterThan(80)
})

test('L1 a higher load index of the tire never lowers the verdict', () => {
  fc.assert(
    fc.property(
      fitmentInput(),
      steps,
      (input, more) => rankOf(withTires(input, (tire) => raised(tire, more))) >= rankOf(input),
    ),
    lawRuns,
  )
})

test('L2 a higher speed rating of the tire never lowers the verdict', () => {
  fc.assert(
    fc.property(
      fitmentInput(),
      steps,
      (input, more) => rankOf(withTires(input, (tire) => faster(tire, more))) >= rankOf(input),
    ),
    lawRuns,
  )
})

test('L3 a higher requirement never raises the verdict', () => {
  fc.assert(
    fc.property(
      fitmentInput(),
      steps,
      (input, more) => rankOf(withRequirements(input, (requirement) => raised(requirement, more))) <= rankOf(input),
    ),
    lawRuns,
  )
  fc.assert(
    fc.property(
      fitmentInput(),
      steps,
      (input, more) => rankOf(withRequirements(input, (requirement) => faster(requirement, more))) <= rankOf(input),
    ),
    lawRuns,
  )
})

test('L4 fits requires known, matching rim, size, load, speed, and quantity on every axle', () => {
  const proven = ({ requirement, tire }: { requirement: AxleRequirement; tire: OfferedTire }) => {
    expect(requirement.size && tire.size && isSameSize(requirement.size, tire.size)).toBe(true)
    expect(tire.size?.rimIn).toBe(requirement.wheelRimIn ?? requirement.size?.rimIn)
    expect(loadOf(tire.loadIndex)?.kg).toBeGreaterThanOrEqual(
      loadOf(requirement.loadIndex)?.kg ?? Number.POSITIVE_INFINITY,
    )
    if (tire.size?.kind !== 'st') {
      expect(speedOf(tire.speed)?.kmh).toBeGreaterThanOrEqual(
        speedOf(requirement.speed)?.kmh ?? Number.POSITIVE_INFINITY,
      )
    }
  }
  fc.assert(
    fc.property(fitmentInput(), (input) => {
      const { verdict, front, rear } = judgeFitment(input)
      if (verdict !== 'fits') return
      const [only] = input.requirement.configurations
      if (front && only) proven({ requirement: only.front, tire: input.candidate.front ?? input.candidate.rear ?? {} })
      if (rear && only) proven({ requirement: only.rear, tire: input.candidate.rear ?? input.candidate.front ?? {} })
      if (!input.context.spare) expect(input.context.quantity).toBeGreaterThanOrEqual(4)
    }),
    lawRuns,
  )
})

test('L5 fits means the shopper confirmed the label', () => {
  fc.assert(
    fc.property(fitmentInput(), (input) => verdictOf(input) !== 'fits' || input.requirement.source === 'placard'),
    lawRuns,
  )
})

test('L6 a tire never fits without a load index or speed rating on both sides', () => {
  const loads: ((input: FitmentInput) => FitmentInput)[] = [
    (input) => withTires(input, (tire) => ({ ...tire, loadIndex: undefined })),
    (input) =>
      withRequirements(input, (requirement) => ({ ...requirement, loadIndex: undefined, axleRatingLb: undefined })),
  ]
  const speeds: ((input: FitmentInput) => FitmentInput)[] = [
    (input) => withTires(input, (tire) => ({ ...tire, speed: undefined })),
    (input) => withRequirements(input, (requirement) => ({ ...requirement, speed: undefined })),
  ]
  for (const erased of loads)
    fc.assert(
      fc.property(fitmentInput(), (input) => verdictOf(erased(input)) !== 'fits'),
      lawRuns,
    )
  // Trailer tires need no speed symbol.
  const hasTrailerTire = ({ requirement, candidate }: FitmentInput) =>
    [...requirement.configurations.flatMap(({ front, rear }) => [front, rear]), candidate.front, candidate.rear].some(
      (tire) => tire?.size?.kind === 'st',
    )
  for (const erased of speeds)
    fc.assert(
      fc.property(fitmentInput(), (input) => hasTrailerTire(input) || verdictOf(erased(input)) !== 'fits'),
      lawRuns,
    )
})

test('L7 adding a missing fact never removes a rejection', () => {
  const blank = (input: FitmentInput): FitmentInput => {
    const { quantity, axle, spare, leftAndRightDiffer } = input.context
    const bare = withRequirements(input, (requirement) => ({
      ...requirement,
      wheelWidthIn: undefined,
      pressurePsi: undefined,
      axleRatingLb: undefined,
    }))
    return { ...bare, context: { quantity, axle, spare, leftAndRightDiffer } }
  }
  const keeps = (less: FitmentInput, more: FitmentInput) =>
    verdictOf(less) !== 'does_not_fit' || verdictOf(more) === 'does_not_fit'
  fc.assert(
    fc.property(fitmentInput(), (input) => keeps(blank(input), input)),
    lawRuns,
  )
  // Also test facts one at a time, because several could mask each other.
  const facts = [
    'remainingLine',
    'remainingWinter',
    'remainingRunFlat',
    'treadGap32',
    'makerTreadTolerance32',
    'wantsSnow',
    'wantsChains',
  ] as const
  fc.assert(
    fc.property(fitmentInput(), context, (input, known) =>
      facts.every(
        (fact) =>
          input.context[fact] !== undefined ||
          keeps(input, { ...input, context: { ...input.context, [fact]: known[fact] } }),
      ),
    ),
    lawRuns,
  )
})

test('L8 the set is never better than one of its axles', () => {
  fc.assert(
    fc.property(openInput, fc.boolean(), ({ input, other }, open) => {
      const { verdict, front, rear } = judgeFitment({
        ...input,
        requirement: {
          ...input.requirement,
          configurations: open ? [...input.requirement.configurations, other] : input.requirement.configurations,
        },
      })
      return [front, rear].every((axle) => axle === undefined || rank(verdict) <= rank(axle.verdict))
    }),
    lawRuns,
  )
})

test('L9 an open trim is never better than its best configuration, and above unknown only if all are; order and repetition have no effect', () => {
  fc.assert(
    fc.property(openInput, ({ input, other }) => {
      const [only] = input.requirement.configurations
      if (!only) return false
      const among = (...configurations: typeof input.requirement.configurations) =>
        verdictOf({ ...input, requirement: { ...input.requirement, configurations } })
      const [a, b, both] = [among(only), among(other), among(only, other)]
      expect(rank(both)).toBeLessThanOrEqual(Math.max(rank(a), rank(b)))
      if (rank(both) > rank('unknown')) expect(both).toBe(worse(a, b))
      expect(among(other, only)).toBe(both)
      expect(among(only, other, only, other)).toBe(both)
      expect(among(only, only)).toBe(a)
    }),
    lawRuns,
  )
})

test('L10 all spellings of a size give one verdict', () => {
  const spellings = ['235/60R18', 'P235/60R18', '235/60ZR18', '235 60 18', '2356018'].map(
    (text) => parseTire(text)?.size,
  )
  fc.assert(
    fc.property(fitmentInput(), (input) => {
      const verdicts = spellings.flatMap((size) => [
        verdictOf(withTires(input, (tire) => ({ ...tire, size }))),
        verdictOf(
          withRequirements(
            withTires(input, (tire) => ({ ...tire, size: spellings[0] })),
            (requirement) => ({ ...requirement, size }),
          ),
        ),
      ])
      return (
        new Set(verdicts.filter((_, index) => index % 2 === 0)).size === 1 &&
        new Set(verdicts.filter((_, index) => index % 2 === 1)).size === 1
      )
    }),
    lawRuns,
  )
})

test('L11 swapping front and rear everywhere swaps the axle verdicts', () => {
  fc.assert(
    fc.property(fitmentInput({ bothAxles: true }), (given) => {
      // Dual wheels exist on the rear axle only.
      const input = { ...given, requirement: { ...given.requirement, dualRearWheels: false } }
      const { requirement, candidate } = input
      const mirrored = judgeFitment({
        ...input,
        requirement: {
          ...requirement,
          configurations: requirement.configurations.map(({ front, rear }) => ({ front: rear, rear: front })),
        },
        candidate: { front: candidate.rear, rear: candidate.front },
      })
      const straight = judgeFitment(input)
      expect(mirrored.front?.verdict).toEqual(straight.rear?.verdict)
      expect(mirrored.rear?.verdict).toEqual(straight.front?.verdict)
      expect(mirrored.verdict).toEqual(straight.verdict)
    }),
    lawRuns,
  )
})

test('L12 price, stock, brand, margin, account and channel are not inputs', () => {
  const trade = { priceCents: 1, brand: 'Any', stock: 0, marginPpm: 500_000, account: 'fleet', channel: 'widget' }
  fc.assert(
    fc.property(fitmentInput(), (input) => {
      const dressed = withTires(
        { ...input, requirement: { ...input.requirement, ...trade }, context: { ...input.context, ...trade } },
        (tire) => ({
          ...tire,
          ...trade,
        }),
      )
      return verdictOf(dressed) === verdictOf(input)
    }),
    lawRuns,
  )
})

test('L13 what fits still fits with any note added', () => {
  const notes: ((input: FitmentInput) => FitmentInput)[] = [
    (input) => ({ ...input, context: { ...input.context, wantsSnow: true } }),
    (input) => ({ ...input, context: { ...input.context, wantsChains: true } }),
    (input) => ({ ...input, requirement: { ...input.requirement, electric: true } }),
    (input) => ({ ...input, requirement: { ...input.requirement, pressureMonitor: true } }),
    (input) => withTires(input, (tire) => ({ ...tire, ageYears: 4 })),
  ]
  fc.assert(
    fc.property(
      fitmentInput(),
      fc.constantFrom(...notes),
      (input, note) => verdictOf(input) !== 'fits' || verdictOf(note(input)) === 'fits',
    ),
    lawRuns,
  )
})

test('L14 a higher load class never turns fits into a refusal', () => {
  const classes: LoadClass[] = ['SL', 'XL', 'HL']
  const up = (tire: OfferedTire): OfferedTire => ({
    ...tire,
    loadClass: tire.loadClass && (classes[classes.indexOf(tire.loadClass) + 1] ?? tire.loadClass),
  })
  fc.assert(
    fc.property(
      fitmentInput(),
      (input) => verdictOf(input) !== 'fits' || rankOf(withTires(input, up)) >= rank('fits_with_conditions'),
    ),
    lawRuns,
  )
})

test('L15 a listing of the brand never raises the verdict', () => {
  const listing: fc.Arbitrary<BrandListing> = fc.record({
    axle: fc.constantFrom('front', 'rear', undefined),
    terms: fc.constantFrom('', 'with 18 in. wheels'),
    company: fc.constant('Sunder & Vale'),
    date: fc.constant('October 5, 2026'),
  })
  fc.assert(
    fc.property(fitmentInput(), fc.array(listing, { minLength: 1, maxLength: 3 }), (input, listings) => {
      const brandListings = { key: '', byItem: new Map([[1, listings]]) }
      const listed = withTires(input, (tire) => ({ ...tire, itemId: 1 }))
      return rankOf({ ...listed, requirement: { ...listed.requirement, brandListings } }) <= rankOf(input)
    }),
    lawRuns,
  )
})

test('the speed ladder of the laws rises by km/h', () => {
  const kmh = speedLadder.map((symbol) => speedOf(symbol)?.kmh ?? 0)
  expect(kmh).toEqual(kmh.toSorted((a, b) => a - b))
})
