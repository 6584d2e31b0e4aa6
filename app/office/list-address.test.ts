import { expect, test } from 'vitest'
import {
  chipsOf,
  listQueryNames,
  listValues,
  pageAddresses,
  readListAsk,
  viewText,
  type ListShape,
} from './list-address.ts'

const list: ListShape = {
  path: '/office/things',
  columns: [
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'size', label: 'Size' },
    { key: 'note', label: 'Note', isOff: true },
    { key: 'email', label: 'Email', isFileOnly: true },
  ],
  view: {
    name: 'state',
    label: 'State',
    tabs: [
      ['open', 'Open'],
      ['done', 'Done'],
    ],
    more: [['late', 'Late']],
  },
  filters: [
    {
      kind: 'choice',
      name: 'kind',
      label: 'Kind',
      options: [
        ['a', 'First'],
        ['b', 'Second'],
      ],
    },
    { kind: 'text', name: 'shop', label: 'Shop', max: 10 },
    { kind: 'days', label: 'Placed' },
  ],
  find: { name: 'q', label: 'Find' },
  sorts: [
    { value: 'newest', label: 'Newest first', column: 'name' },
    { value: 'oldest', label: 'Oldest first', column: 'name' },
  ],
}
const ask = (query: string) => readListAsk(list, new URLSearchParams(query))

test('an address contains only valid, length-limited filters in the list’s order', () => {
  expect(ask('shop=%20halsted+tires+chicago&kind=a&state=done&q=x&from=2026-11-02&to=2026-13-40').filters).toEqual({
    state: 'done',
    kind: 'a',
    shop: 'halsted ti',
    from: '2026-11-02',
    q: 'x',
  })
  expect(viewText(ask('q=x&kind=b&state=late'))).toBe('state=late&kind=b&q=x')
  expect(ask('kind=c&state=never&evil=1&shop=%00').filters).toEqual({})
  // The first view is the list without a view.
  expect(viewText(ask('state=open'))).toBe('')
})

test('chosen columns leave out fixed, unknown and file columns, and the default choice', () => {
  expect(ask('columns=note&columns=size,email,nothing').columns).toEqual(['size', 'note'])
  expect(ask('columns=size').columns).toBeNull()
  expect(ask('columns=email').columns).toBeNull()
  expect(viewText(ask('columns=note&sort=oldest'))).toBe('columns=note&sort=oldest')
  expect(ask('sort=newest').sort).toBe('')
  expect(ask('sort=sideways').sort).toBe('')
})

test('roomy rows are part of the view, in lists that have them', () => {
  const roomy = { ...list, roomy: 'size' }
  const own = readListAsk(roomy, new URLSearchParams('rows=roomy&kind=a'))
  expect(viewText(own)).toBe('kind=a&rows=roomy')
  expect(listValues(own)).toEqual({ kind: 'a', rows: 'roomy' })
  expect(readListAsk(roomy, new URLSearchParams('rows=tall')).isRoomy).toBe(false)
  expect(viewText(ask('rows=roomy'))).toBe('')
})

test('a forward-only list can page back', () => {
  const [first, second, third] = ['kind=a', 'kind=a&after=A', 'kind=a&after=B&trail=A']
  expect(pageAddresses(list, ask(first), { next: 'A' })).toEqual({
    newer: null,
    older: '/office/things?kind=a&after=A',
  })
  expect(pageAddresses(list, ask(second), { next: 'B' })).toEqual({
    newer: '/office/things?kind=a',
    older: '/office/things?kind=a&after=B&trail=A',
  })
  expect(pageAddresses(list, ask(third), { next: null })).toEqual({
    newer: '/office/things?kind=a&after=A',
    older: null,
  })
})

test('a two-way list includes the position of each page', () => {
  expect(pageAddresses(list, ask('after=B'), { next: 'C', prev: 'B2' })).toEqual({
    newer: '/office/things?before=B2',
    older: '/office/things?after=C',
  })
  expect(pageAddresses(list, ask(''), { next: null, prev: null })).toEqual({ newer: null, older: null })
})

test('a chip shows a filter in words, and leads to the list without it', () => {
  expect(chipsOf(list, ask('state=late&kind=b&to=2026-11-20&columns=note'))).toEqual([
    { label: 'State', value: 'Late', without: '/office/things?kind=b&to=2026-11-20&columns=note' },
    { label: 'Kind', value: 'Second', without: '/office/things?state=late&to=2026-11-20&columns=note' },
    { label: 'Placed', value: 'until Nov 20, 2026', without: '/office/things?state=late&kind=b&columns=note' },
  ])
  // A view with a tab isn't a chip, and neither is the search text.
  expect(chipsOf(list, ask('state=done&q=x'))).toEqual([])
})

test('list forms include only the address’s known parameters', () => {
  expect(listValues(ask('state=done&after=A&trail=x~y&preview=1&evil=2'))).toEqual({
    state: 'done',
    after: 'A',
    trail: 'x~y',
  })
  expect(listQueryNames(list)).toEqual(expect.arrayContaining(['state', 'kind', 'shop', 'from', 'to', 'q', 'columns']))
})
