import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { statusWords } from '#app/views/office-catalog.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { itemStatusForm } from '#domain/catalog/catalog.ts'
import { findOfficeItem, hideItem } from '#domain/catalog/catalog.server.ts'
import { findTireStock } from '#domain/stock/stock.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import { catalogId } from './catalog-id.ts'
import type { Route } from './+types/catalog-item.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? loaderData.sku : 'Tire', officePaths.officeCatalog())

type Found = NonNullable<Awaited<ReturnType<typeof findOfficeItem>>>

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { shop, session } = await requireStaff(context, 'catalog.read', officePaths.officeItem(id))
  const item = await findOfficeItem(shop, id)
  if (!item) throw new Response(null, { status: 404 })
  const stock = await findTireStock(shop, id)
  const mayEdit = staffCan(session.roles, 'catalog.edit')
  return {
    sku: item.sku,
    name: `${item.brand} ${item.line}`,
    status: statusWords[item.status],
    isHidden: item.status === 'hidden',
    isUnlisted: item.status === 'unlisted',
    mayEdit,
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    facts: factsOf(item, mayEdit),
    stock: (stock?.places ?? []).map(({ code, name: place, free }) => ({
      warehouse: `${code} ${place}`,
      free: free.toLocaleString('en-US'),
    })),
    total: item.stock.toLocaleString('en-US'),
    linePath: officePaths.officeLine(item.lineId),
    shopPath: item.status === 'on-sale' ? paths.item(item.brandSlug, item.lineSlug, item.id) : null,
  }
}

/** `mayEdit`: readers without the permission do not see what the tire costs the store. */
function factsOf(item: Found, mayEdit: boolean): [string, string][] {
  return [
    ['Number', String(item.id)],
    ['Size', `${item.size} ${item.service}`],
    ['Price', formatCents(item.retailCents)],
    ...(mayEdit && item.costCents !== null ? [['Cost', formatCents(item.costCents)] satisfies [string, string]] : []),
    ...(item.fetCents > 0 ? [['Federal excise tax', formatCents(item.fetCents)] satisfies [string, string]] : []),
    ['Sidewall', [item.sidewall, item.oeMark, item.runFlat ? 'run-flat' : ''].filter(Boolean).join(', ')],
    ['Most it carries', `${item.maxLoadLb.toLocaleString('en-US')} lb at ${item.maxPsi} psi`],
    ['Tread depth', `${Number(item.treadDepth)}/32 in`],
    ['Weight', `${Number(item.weightLb)} lb`],
    ['Warranty', item.warrantyMiles === null ? 'None' : countOf(item.warrantyMiles, 'mile')],
    ['Last changed', timeText(item.changedAt, storeZone)],
  ]
}

const news: Readonly<Record<string, string>> = {
  hidden: 'Off sale. Feeds do not bring it back; you do.',
  shown: 'Shown again, as long as a feed lists it.',
}

/** `hide` or `show`, with a reason. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const id = catalogId(params.id)
  const { shop, actor } = await requireStaff(context, 'catalog.edit', officePaths.officeItem(id))
  const fields = await readForm(request)
  const intent = fields.get('intent')
  if (intent !== 'hide' && intent !== 'show') return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const checked = checkForm(itemStatusForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const done = await hideItem(shop, actor, { itemId: id, isHidden: intent === 'hide', reason: checked.value.reason })
  if (done.ok) {
    // This process shows it at once; the others within two seconds.
    await shop.catalogWatch.read()
    return seeOther(officePaths.officeItem(id, intent === 'hide' ? 'hidden' : 'shown'))
  }
  if (done.reason === 'not-found') throw new Response(null, { status: 404 })
  return refuseForm(formRefusal(fields, 'Your role was revoked meanwhile. Nothing was changed.'), 403)
}

export default function ItemPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { sku, name, status, facts, stock, total, linePath, shopPath } = loaderData
  return (
    <OfficePage
      title={sku}
      crumbs={[{ label: 'Catalog', path: officePaths.officeCatalog() }]}
      tags={<Tag tone={status.tone}>{status.words}</Tag>}
    >
      {loaderData.news && !reply ? <Notice tone="go" title={loaderData.news} isNews /> : null}
      <Columns
        body={
          <Panel
            id="facts"
            title={name}
            note="Feeds say all of this"
            end={<a href={shopPath ?? linePath}>{shopPath ? 'See it in the store' : 'The line'}</a>}
          >
            <PanelBody>
              <KeyValues rows={facts} />
            </PanelBody>
            <PanelBody>
              <p>
                <a href={linePath}>Description and photos of {name}</a>
              </p>
            </PanelBody>
          </Panel>
        }
        last={
          <>
            {loaderData.mayEdit ? <StatusForm {...loaderData} reply={reply} /> : null}
            <Panel id="stock" title="Stock" note={`${total} in all`}>
              {stock.length === 0 ? (
                <PanelBody>
                  <p>No warehouse has counted it.</p>
                </PanelBody>
              ) : (
                <DataTable
                  caption="Stock by warehouse"
                  columns={[
                    { key: 'warehouse', label: 'Warehouse', isRowHeader: true },
                    { key: 'free', label: 'Free to sell', isAmount: true },
                  ]}
                  rows={stock.map((cells) => ({ id: cells.warehouse, cells }))}
                />
              )}
            </Panel>
          </>
        }
      />
    </OfficePage>
  )
}

function StatusForm({
  isHidden,
  isUnlisted,
  reply,
}: {
  isHidden: boolean
  isUnlisted: boolean
  reply: FormReply | undefined
}) {
  return (
    <Panel id="status" title={isHidden ? 'Show again' : 'Take off sale'}>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ reason: 'Reason' }} />
          <p className="office-note">
            {isUnlisted
              ? 'The last feed of its brand does not list this tire, so it is not on sale.'
              : 'Feeds set what is listed. A tire hidden here stays off sale whatever they say.'}
          </p>
          <TextAreaField name="reason" label="Reason, for the audit log" reply={reply} rows={2} maxLength={500} />
          <p>
            <button className={isHidden ? 'btn primary' : 'btn stop'} name="intent" value={isHidden ? 'show' : 'hide'}>
              {isHidden ? 'Show again' : 'Take off sale'}
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
