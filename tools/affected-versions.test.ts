import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchVersion, type AffectedVersions, type VersionEvent } from './affected-versions.ts'

function range(...events: VersionEvent[]): AffectedVersions {
  return { ranges: [{ type: 'SEMVER', events }], versions: [] }
}

function affectedOf(versions: string[], affected: AffectedVersions): string[] {
  return versions.filter((version) => matchVersion(version, affected).affected)
}

test('a fix ends a range of affected versions', () => {
  const affected = range({ introduced: '1.2.0' }, { fixed: '1.10.0' })
  expect(affectedOf(['1.1.9', '1.2.0-rc.1', '1.2.0', '1.9.0', '1.10.0-rc.1', '1.10.0', '2.0.0'], affected)).toEqual([
    '1.2.0',
    '1.9.0',
    '1.10.0-rc.1',
  ])
  expect(matchVersion('1.9.0', affected)).toEqual({ affected: true, fixed: '1.10.0' })
  expect(matchVersion('1.10.0', affected)).toEqual({ affected: false, fixed: undefined })
})

test('zero is before every version, and without an end every later version is affected', () => {
  expect(affectedOf(['0.0.0-alpha', '0.0.0', '99.0.0'], range({ introduced: '0' }))).toHaveLength(3)
  expect(matchVersion('99.0.0', range({ introduced: '0' })).fixed).toBeUndefined()
})

test('the last affected version is affected, even if it is the only one', () => {
  const affected = range({ last_affected: '1.0.0' }, { introduced: '1.0.0' })
  expect(affectedOf(['0.9.9', '1.0.0', '1.0.1'], affected)).toEqual(['1.0.0'])
  expect(matchVersion('1.0.0', affected).fixed).toBeUndefined()
})

test('a reintroduced advisory reports the next fix', () => {
  const affected = range({ introduced: '3.0.0' }, { fixed: '1.5.0' }, { introduced: '0' }, { fixed: '3.1.0' })
  expect(affectedOf(['1.4.9', '1.5.0', '2.9.9', '3.0.0', '3.1.0'], affected)).toEqual(['1.4.9', '3.0.0'])
  expect(matchVersion('1.4.9', affected).fixed).toBe('1.5.0')
  expect(matchVersion('3.0.5', affected).fixed).toBe('3.1.0')
  expect(
    affectedOf(
      ['1.9.0', '2.0.0', '2.5.0'],
      range({ introduced: '1.0.0' }, { fixed: '2.0.0' }, { introduced: '2.0.0' }),
    ),
  ).toHaveLength(3)
})

test('a limit is where a range looks no further', () => {
  const affected = range({ introduced: '1.0.0' }, { limit: '2.0.0' })
  expect(affectedOf(['0.9.0', '1.0.0', '1.9.9', '2.0.0', '3.0.0'], affected)).toEqual(['1.0.0', '1.9.9'])
  expect(affectedOf(['1.0.0', '9.0.0'], range({ introduced: '1.0.0' }, { limit: '*' }))).toHaveLength(2)
})

test('versions are also affected by name, and commit ranges are ignored', () => {
  const affected = { ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }], versions: ['1.0.0', '1.0.2'] }
  expect(affectedOf(['1.0.0', '1.0.1', '1.0.2'], affected)).toEqual(['1.0.0', '1.0.2'])
  const ecosystem = { ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '1.0' }, { fixed: '1.2' }] }], versions: [] }
  expect(affectedOf(['0.9.0', '1.0.0', '1.1.9', '1.2.0'], ecosystem)).toEqual(['1.0.0', '1.1.9'])
})

test('every range counts, and the nearest fix is reported', () => {
  const affected: AffectedVersions = {
    ranges: [
      { type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.10.0' }] },
      { type: 'SEMVER', events: [{ introduced: '2.0.0' }, { fixed: '2.9.0' }] },
    ],
    versions: [],
  }
  expect(matchVersion('2.1.0', affected)).toEqual({ affected: true, fixed: '2.9.0' })
  expect(matchVersion('2.9.5', affected)).toEqual({ affected: true, fixed: '2.10.0' })
})

test('an open range is limited to known affected versions', () => {
  const open = { ...range({ introduced: '0' }), narrowed: '<= 1.0.0' }
  expect(affectedOf(['0.9.0', '1.0.0', '1.0.1'], open)).toEqual(['0.9.0', '1.0.0'])
  const ended = { ...range({ introduced: '0' }, { fixed: '2.0.0' }), narrowed: '<= 1.0.0' }
  expect(affectedOf(['1.0.0', '1.0.1', '2.0.0'], ended)).toEqual(['1.0.0', '1.0.1'])
  expect(() => matchVersion('1.0.0', { ...open, narrowed: 'before May' })).toThrow('no range of versions')
})

test('rejects invalid versions', () => {
  expect(() => matchVersion('1.0.0', range({ introduced: 'first' }))).toThrow('“first” is no version.')
  expect(() => matchVersion('latest', range({ introduced: '1.0.0' }))).toThrow('“latest” is no version.')
})

/** In ascending order by https://semver.org. */
const ascending = [
  '0.0.0-alpha',
  '0.0.1',
  '0.9.0',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '1.2.0',
  '1.10.0-2',
  '1.10.0',
  '2.0.0',
  '10.0.0',
] as const
const place = fc.nat(ascending.length - 1)

/** Disjoint ranges, as indexes in the list above for the first version and the end, which can be inclusive. */
const stretches = fc.uniqueArray(place, { minLength: 1, maxLength: 8 }).chain((places) => {
  const sorted = places.sort((a, b) => a - b)
  const pairs = Array.from({ length: Math.ceil(sorted.length / 2) }, (_, at) => sorted.slice(at * 2, at * 2 + 2))
  return fc.tuple(
    ...pairs.map(([first = 0, end]) =>
      fc.record({ first: fc.constant(first), end: fc.constant(end), counts: fc.boolean() }),
    ),
  )
})

test('a version is affected exactly if the events say so, in whatever order they stand', () => {
  fc.assert(
    fc.property(
      stretches.chain((all) =>
        fc.record({
          all: fc.constant(all),
          events: fc.shuffledSubarray(
            all.flatMap(({ first, end, counts }): VersionEvent[] => [
              { introduced: ascending[first]! },
              ...(end === undefined ? [] : [counts ? { last_affected: ascending[end]! } : { fixed: ascending[end]! }]),
            ]),
            { minLength: all.reduce((sum, { end }) => sum + (end === undefined ? 1 : 2), 0) },
          ),
          limit: fc.option(place, { nil: undefined }),
          version: place,
        }),
      ),
      ({ all, events, limit, version }) => {
        const found = matchVersion(
          ascending[version]!,
          range(...events, ...(limit === undefined ? [] : [{ limit: ascending[limit]! }])),
        )
        const inside = all.find(
          ({ first, end, counts }) =>
            version >= first && (end === undefined || version < end || (counts && version === end)),
        )
        const isAffected = inside !== undefined && (limit === undefined || version < limit)
        expect(found.affected).toBe(isAffected)
        expect(found.fixed).toBe(
          isAffected && inside.end !== undefined && !inside.counts ? ascending[inside.end] : undefined,
        )
      },
    ),
  )
})
