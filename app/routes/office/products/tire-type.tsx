import { tireTypeActions, tireTypeId } from '#app/office/actions/tire-types.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { pathAfterAdding, readTireType } from '#app/views/office/tire-type.server.ts'
import { tireTypeLevels } from '#app/views/tire-type-labels.ts'
import { officePaths } from '#content/office-paths.ts'
import { maxTireTypeName, maxTireTypeText } from '#domain/catalog/catalog/catalog.ts'
import type { TireTypeLevel } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/tire-type.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Tire types', officePaths.officeTireTypes())

/** The level in the address; another one is not found. */
function levelOf(text: string): TireTypeLevel {
  if (text === 'types' || text === 'categories') return text
  throw new Response(null, { status: 404 })
}

const news = {
  saved: 'Saved. Customers see it within a second.',
  retired: 'Retired.',
  restored: 'Restored.',
}

export async function loader({ context, params: { level, slug }, url }: Route.LoaderArgs) {
  const path = officePaths.officeTireType(levelOf(level), slug)
  const { app, session } = await requireStaff(context, slug === 'new' ? 'catalog.edit' : 'catalog.read', path)
  const view = found(await readTireType(app, { level: levelOf(level), slug, query: url.searchParams }))
  return { ...view, mayEdit: staffCan(session.roles, 'catalog.edit'), news: doneNews(url, news) }
}

/** `add`, `change`, `retire` or `restore`. */
export const action = (args: Route.ActionArgs) => {
  const { slug } = args.params
  const level = levelOf(args.params.level)
  return decideActions(
    args,
    {
      id: tireTypeId({ level, slug }),
      noun: tireTypeLevels[level].noun,
      path: (done) => officePaths.officeTireType(level, slug, { done }),
      done: {
        add: (_id, _value, fields) => pathAfterAdding(fields),
        change: 'saved',
        retire: 'retired',
        restore: 'restored',
      },
    },
    tireTypeActions,
  )
}

export default function TireTypePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { own, title, level, mayEdit, storePath } = loaderData
  const { noun } = tireTypeLevels[level]
  return (
    <DetailPage
      title={title}
      crumbs={[{ label: 'Tire types', path: officePaths.officeTireTypes() }]}
      tags={own?.isRetired ? <Tag>Retired</Tag> : undefined}
      end={
        storePath ? (
          <a className="btn quiet" href={storePath}>
            View in store
          </a>
        ) : undefined
      }
      news={loaderData.news}
      reply={reply}
      body={
        mayEdit ? (
          <TireTypeForm {...loaderData} reply={reply} />
        ) : (
          <FactsPanel id="texts" title="Texts" rows={textsOf(loaderData)} />
        )
      }
      side={
        own ? (
          <>
            <FactsPanel
              id="use"
              title="Use"
              rows={[
                ['Name in feeds', own.slug],
                ['Models', countOf(own.models, 'model')],
                ['For sale', countOf(own.tires, 'tire')],
              ]}
            />
            {mayEdit ? (
              <FormPanel
                id="retire"
                title={own.isRetired ? `Restore this ${noun}` : `Retire this ${noun}`}
                reply={reply}
                text={own.isRetired ? tireTypeLevels[level].retired : tireTypeLevels[level].retire}
                fields={{ reason: { label: 'Reason, for the audit log', kind: 'area', rows: 2, max: 500 } }}
                buttons={[own.isRetired ? button('restore', 'Restore', 'primary') : button('retire', 'Retire', 'stop')]}
              />
            ) : null}
          </>
        ) : undefined
      }
    />
  )
}

type Shown = Route.ComponentProps['loaderData']

function textsOf({ own, typeName }: Shown): [string, string][] {
  return [
    ...(typeName === null ? [] : [['Tire type', typeName] as [string, string]]),
    ['Description', own?.definition ?? ''],
    ['Who it is for', own?.audience || 'Not set'],
  ]
}

function TireTypeForm({
  own,
  level,
  name,
  from,
  type,
  types,
  after,
  order,
  reply,
}: Shown & { reply: Route.ComponentProps['actionData'] }) {
  const { noun } = tireTypeLevels[level]
  const fields: Record<string, FormField> = {
    name: {
      label: 'Name',
      value: name,
      max: maxTireTypeName,
      ...(own ? {} : { hint: 'Sets its URL and its name in feeds, which don’t change later.' }),
    },
    ...(types ? { type: { label: 'Tire type', kind: 'choice', options: types, value: type } satisfies FormField } : {}),
    definition: {
      label: 'Description',
      kind: 'area',
      rows: 3,
      max: maxTireTypeText,
      value: own?.definition,
      hint: 'What it is, in a sentence or two.',
    },
    audience: {
      label: 'Who it is for',
      kind: 'area',
      rows: 3,
      max: maxTireTypeText,
      isOptional: true,
      value: own?.audience,
      hint: 'And who should choose another one.',
    },
    after: { label: 'Listed after', kind: 'choice', options: order, value: after },
  }
  return (
    <FormPanel
      id="tire-type"
      title={level === 'types' ? 'Tire type' : 'Category'}
      reply={reply}
      hidden={{ version: own?.version ?? 0, placed: after, ...(from !== null && { from }) }}
      fields={fields}
      buttons={[own ? button('change', 'Save', 'primary') : button('add', `Add ${noun}`, 'primary')]}
      note={own ? undefined : `Shoppers see a ${noun} once it has a tire for sale.`}
    />
  )
}
