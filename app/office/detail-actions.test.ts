import { expect, test } from 'vitest'
import { arrangeActions, type OfferedAction } from './detail-actions.ts'

const offered: OfferedAction[] = [
  { name: 'Rebook', path: '/rebook', group: 'Delivery', whyNot: null },
  { name: 'Refund', path: '/refund', group: 'Money', whyNot: null },
  { name: 'Cancel', path: '/cancel', group: 'Money', whyNot: 'It has shipped.' },
  { name: 'Note', path: '/note', group: 'Staff', whyNot: null },
]

test('the first candidate that is there is the primary action, and is not repeated in the menu', () => {
  const { primary, groups, refused } = arrangeActions(offered, [undefined, offered[1], offered[3]])
  expect(primary?.name).toBe('Refund')
  expect(groups.map(({ name, actions }) => [name, actions.map((action) => action.name)])).toEqual([
    ['Delivery', ['Rebook']],
    ['Staff', ['Note']],
  ])
  expect(refused).toEqual([{ name: 'Cancel', why: 'It has shipped.' }])
})

test('a role without a next step has no primary action, and everything else stays in the menu', () => {
  const { primary, groups } = arrangeActions(offered, [])
  expect(primary).toBeNull()
  expect(groups.flatMap(({ actions }) => actions.map(({ name }) => name))).toEqual(['Rebook', 'Refund', 'Note'])
})
