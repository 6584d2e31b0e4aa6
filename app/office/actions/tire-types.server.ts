import { defineActions, formAction, type ActionCall, type RecordValue } from '#app/office/define-actions.server.ts'
import { tireTypeLevels } from '#app/views/tire-type-labels.ts'
import { itemStatusForm, tireTypeForm } from '#domain/catalog/catalog/catalog.ts'
import {
  addTireType,
  changeTireType,
  listTireTypes,
  retireTireType,
  type TireTypeLevel,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { countOf } from '#platform/count-text.ts'
import { refused } from '#platform/outcome.ts'
import type { Application } from '#application'
import { editRefusals, showEdit } from './catalog-edits.server.ts'

type Place = { level: TireTypeLevel; slug: string }

/** The ID of a type or category, as the list has it: "categories-studless-winter". */
export const tireTypeId = ({ level, slug }: Place) => `${level}-${slug}`

function placeOf(id: string): Place | undefined {
  const [, level, slug] = /^(types|categories)-(.+)$/.exec(id) ?? []
  return level === undefined || slug === undefined ? undefined : { level: level as TireTypeLevel, slug }
}

/** A new one without an ID in its address is a category if it has a type. */
function newLevel(id: string, type: string): TireTypeLevel {
  return placeOf(id)?.level ?? (type === '' ? 'types' : 'categories')
}

const retirement = (isRetired: boolean, summary: string, description: string) =>
  formAction({ summary, description, form: itemStatusForm }, async ({ app, by, id }: ActionCall, { reason }) => {
    const place = placeOf(id)
    if (!place) return refused('not-found')
    return showEdit(app, retireTireType(app, by, place.level, { slug: place.slug, isRetired, reason }))
  })

export const tireTypeActions = defineActions({
  resource: 'tire-types',
  noun: 'tire type',
  permission: 'catalog.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a tire type or a category',
        description: 'With `type`, it is a category of that tire type. Shoppers see it once it has a tire for sale.',
        form: tireTypeForm,
      },
      async ({ app, by, id }, draft) => {
        const level = newLevel(id, draft.type)
        const added = await addTireType(app, by, level, draft)
        return added.ok ? { ...added, value: { level, slug: added.value.slug } } : added
      },
      tireTypeId,
    ),
    change: formAction(
      { summary: 'Change a tire type or a category', description: 'Its slug stays.', form: tireTypeForm },
      async ({ app, by, id }, draft) => {
        const place = placeOf(id)
        if (!place) return refused('not-found')
        return showEdit(app, changeTireType(app, by, place.level, { slug: place.slug, draft }))
      },
    ),
    retire: retirement(
      true,
      'Retire a tire type or a category',
      'It takes no new models or categories. Refused while it has tires for sale, or categories in use.',
    ),
    restore: retirement(false, 'Restore a tire type or a category', 'Refused for a category of a retired tire type.'),
  },
  refusals: {
    ...editRefusals,
    'name-taken': (level) => ({
      field: 'name',
      text: `A ${tireTypeLevels[level].noun} with this name or address already exists.`,
      status: 409,
    }),
    'type-gone': { field: 'type', text: 'This tire type was retired. Choose another one.', status: 409 },
    'type-retired': 'Its tire type is retired. Restore the type first.',
    'order-gone': { field: 'after', text: 'Choose one from the list.' },
    'too-many': ({ level, count }) =>
      `The store has reached the limit of ${level === 'types' ? countOf(count, 'tire type') : countOf(count, 'category', 'categories')}.`,
    'in-use': ({ level, count }) =>
      level === 'types'
        ? `This tire type has ${countOf(count, 'category', 'categories')} in use. Retire them, or move them to another type first.`
        : `This category has ${countOf(count, 'tire')} for sale. Move their models to another category first.`,
  },
  read,
})

async function read(app: Application, id: string): Promise<Record<string, RecordValue> | undefined> {
  const place = placeOf(id)
  const all = (await listTireTypes(app))[place?.level ?? 'types']
  const at = all.findIndex(({ slug }) => slug === place?.slug)
  const own = all[at]
  if (!own) return undefined
  const { name, definition, audience, version } = own
  const after = all[at - 1]?.slug ?? ''
  return { name, definition, audience, after, placed: after, type: 'type' in own ? own.type : null, version }
}
