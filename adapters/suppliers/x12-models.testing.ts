/**
 * The structure of transaction sets 850, 855, 856, and 997 in ASC X12 004010, as far as both sides use it: the order of
 * segments, which are mandatory, and the length of their elements. https://x12.org/products/transaction-sets
 */
import { readX12 } from '#sandbox/suppliers/x12.ts'

/** Minimum and maximum length of each element. Optional elements begin with a question mark. */
type Elements = readonly string[]

const elements: Readonly<Record<string, Elements>> = {
  BEG: ['2-2', '2-2', '1-22', '?1-30', '8-8'],
  CSH: ['1-2'],
  N9: ['2-3', '?1-30', '1-45'],
  MSG: ['1-264'],
  N1: ['2-3', '1-60'],
  N3: ['1-55'],
  N4: ['2-30', '2-2', '3-15', '2-3'],
  PER: ['2-2', '1-60', '2-2', '1-80'],
  PO1: ['1-20', '1-9', '2-2', '?1-17', '?2-2', '2-2', '1-48', '?2-2', '?1-48'],
  PID: ['1-1', '?2-3', '?1-12', '?1-3', '1-80'],
  CTT: ['1-6'],
  BAK: ['2-2', '2-2', '1-22', '8-8', '?1-30', '?1-45', '?1-30', '?1-30'],
  ACK: ['2-2', '1-9', '2-2', '?3-3', '?8-8', '?2-2', '?2-2', '?1-48'],
  BSN: ['2-2', '2-30', '8-8', '4-8', '?4-4'],
  HL: ['1-12', '?1-12', '1-2'],
  TD5: ['1-2', '1-2', '2-80', '1-2', '1-35'],
  REF: ['2-3', '1-30'],
  DTM: ['3-3', '8-8'],
  PRF: ['1-22'],
  LIN: ['1-20', '2-2', '1-48'],
  SN1: ['?1-20', '1-10', '2-2'],
  AK1: ['2-2', '1-9'],
  AK2: ['3-3', '4-9'],
  AK5: ['1-1', '?1-3'],
  AK9: ['1-1', '1-6', '1-6', '1-6'],
}

/** Segments in their order. `+` is repeatable, `?` optional, `*` both; a list is a loop. */
type Part = string | { loop: readonly Part[]; times: '*' | '+' }

const sets: Readonly<Record<string, readonly Part[]>> = {
  '850': [
    'BEG',
    'CSH?',
    { loop: ['N9', 'MSG+'], times: '*' },
    { loop: ['N1', 'N3?', 'N4?', 'PER*'], times: '*' },
    { loop: ['PO1', 'PID*'], times: '+' },
    'CTT?',
  ],
  '855': ['BAK', { loop: ['N9', 'MSG+'], times: '*' }, { loop: ['PO1', 'ACK*'], times: '*' }, 'CTT?'],
  '856': ['BSN', { loop: ['HL', 'LIN?', 'SN1?', 'PRF?', 'TD5*', 'REF*', 'DTM*'], times: '+' }, 'CTT?'],
  '997': ['AK1', { loop: ['AK2', 'AK5'], times: '*' }, 'AK9'],
}

/** What a document has against the structure; empty for a valid one. */
export function x12Faults(text: string): string[] {
  const read = readX12(text)
  if (!read) return ['not a whole interchange']
  const model = sets[read.set]
  if (!model) return [`no transaction set ${read.set}`]
  const tags = read.segments.map(([tag = '']) => tag)
  const end = follow(model, tags, 0)
  const order = end === tags.length ? [] : [`${read.set}: ${tags[end] ?? 'the end'} at ${end}`]
  return [...order, ...read.segments.flatMap(elementFaults)]
}

/** How far the tags follow the model, from `at` on. */
function follow(model: readonly Part[], tags: readonly string[], at: number): number {
  let place = at
  for (const part of model) {
    const next = typeof part === 'string' ? followSegment(part, tags, place) : followLoop(part, tags, place)
    if (next === undefined) return place
    place = next
  }
  return place
}

/** The place after a segment and its repetitions; undefined if a mandatory one is missing. */
function followSegment(part: string, tags: readonly string[], place: number): number | undefined {
  const [, tag = '', times] = /^(\w+?)([?*+]?)$/.exec(part) ?? []
  const other = tags.slice(place).findIndex((each) => each !== tag)
  const found = other === -1 ? tags.length - place : other
  if (found === 0) return times === '?' || times === '*' ? place : undefined
  return place + (times === '*' || times === '+' ? found : 1)
}

function followLoop({ loop, times }: Exclude<Part, string>, tags: readonly string[], at: number): number | undefined {
  const [first] = loop
  const head = typeof first === 'string' ? first.replace(/[?*+]$/, '') : ''
  let place = at
  while (tags[place] === head) place = follow(loop, tags, place)
  return place === at && times === '+' ? undefined : place
}

function elementFaults([tag = '', ...values]: readonly string[]): string[] {
  const model = elements[tag]
  if (!model) return [`no segment ${tag}`]
  const tooMany = values.length > model.length ? [`${tag} has ${values.length} elements`] : []
  return [
    ...tooMany,
    ...model.flatMap((rule, index) => {
      const [, optional, min, max] = /^(\??)(\d+)-(\d+)$/.exec(rule) ?? []
      const value = values[index] ?? ''
      if (value === '') return optional === '?' ? [] : [`${tag}${index + 1} is missing`]
      return value.length < Number(min) || value.length > Number(max) ? [`${tag}${index + 1} is ${value}`] : []
    }),
  ]
}
