import { expect, test } from 'vitest'
import { yearRanges } from './model-sizes.ts'

test('each size of a model lists its years, most years first', () => {
  const years = [
    { year: 2021, sizes: ['225/65R17'] },
    { year: 2018, sizes: ['235/55R18', '225/65R17'] },
    { year: 2017, sizes: ['225/65R17'] },
    { year: 1999, sizes: [] },
  ]
  expect(yearRanges(years)).toEqual([
    { size: '225/65R17', years: '2017–2018, 2021' },
    { size: '235/55R18', years: '2018' },
  ])
})
