import { tirePictureActions } from '#app/office/actions/catalog-pictures.server.ts'
import { tireActions } from '#app/office/actions/catalog.server.ts'
import { decideActions, doneNews, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { statusWords } from '#app/views/office/catalog.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { findOfficeItem, listPictures } from '#domain/catalog/catalog/catalog.server.ts'
import { listVehiclesOfItem } from '#domain/catalog/vehicles/vehicles.server.ts'
import { findTireStock } from '#domain/supply/stock/stock.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import { catalogId } from './catalog-id.ts'
import { photoSteps, photoView } from './catalog-photos.server.ts'
import { AddPhotoPanel, PhotosPanel } from './catalog-photos.tsx'
import type { Route } from './+types/catalog-item.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? loaderData.sku : 'Tire', officePaths.officeCatalog())

type Found = NonNullable<Awaited<ReturnType<typeof findOfficeItem>>>

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { app, session } = await requireStaff(context, 'catalog.read', officePaths.officeItem(id))
  const item = found(await findOfficeItem(app, id))
  const stock = await findTireStock(app, id)
  const pictures = await listPictures(app, { kind: 'item', id })
  const mayEdit = staffCan(session.roles, 'catalog.edit')
  const listed = await listVehiclesOfItem(app, id)
  return {
    sku: item.sku,
    name: `${item.brand} ${item.line}`,
    status: statusWords[item.status],
    isHidden: item.status === 'hidden',
    isUnlisted: item.status === 'unlisted',
    mayEdit,
    news: doneNews(url, news),
    facts: factsOf(item, mayEdit),
    stock: (stock?.places ?? []).map(({ code, name: place, free }) => ({
      warehouse: `${code} ${place}`,
      free: free.toLocaleString('en-US'),
    })),
    total: item.stock.toLocaleString('en-US'),
    listed: listed && {
      note: `${countOf(listed.total, 'vehicle')} in the catalog of ${listed.company}, ${listed.date}`,
      rows: listed.vehicles.map(({ name, axle, terms }) => ({
        name: `${name}${axleWords[axle]}`,
        terms: terms || 'None',
      })),
    },
    pictures: pictures.map(photoView),
    linePath: officePaths.officeLine(item.lineId),
    formPath: mayEdit ? officePaths.officeItemForm(id) : null,
    byHand: item.byHand,
    shopPath: item.status === 'on-sale' ? paths.item(item.brandSlug, item.lineSlug, item.id) : null,
  }
}

/** `mayEdit`: readers without the permission do not see what the tire costs the store. */
function factsOf(item: Found, mayEdit: boolean): [string, string][] {
  return shownRows([
    ['Number', String(item.id)],
    ['Size', `${item.size} ${item.service}`],
    ['Price', formatCents(item.retailCents)],
    ['Cost', mayEdit && item.costCents !== null ? formatCents(item.costCents) : null],
    ['Minimum advertised price', item.mapCents === null ? null : formatCents(item.mapCents)],
    ['Federal excise tax', item.fetCents > 0 ? formatCents(item.fetCents) : null],
    ['Sidewall', [item.sidewall, item.oeMark, item.runFlat ? 'run-flat' : ''].filter(Boolean).join(', ')],
    ['Max load', `${item.maxLoadLb.toLocaleString('en-US')} lb at ${item.maxPsi} psi`],
    ['Tread depth', `${Number(item.treadDepth)}/32 in`],
    ['Weight', `${Number(item.weightLb)} lb`],
    ['Warranty', item.warrantyMiles === null ? 'None' : countOf(item.warrantyMiles, 'mile')],
    ['GTIN', item.gtin],
    ['Manufacturer part number', item.mpn],
    ['Country of origin', item.originCountry],
    ['Last changed', timeText(item.changedAt, storeZone)],
  ])
}

const axleWords = { any: '', front: ', front axle', rear: ', rear axle' } as const

const news = {
  added: 'Tire added.',
  saved: 'Saved. Customers see it within a second.',
  hidden: 'Unlisted. Feeds don’t list it again; only staff can.',
  shown: 'Listed again, as long as a feed includes it.',
}

/** `hide` or `show`, with a reason, or an action on a photo as on the model's page. */
export const action = (args: Route.ActionArgs) => {
  const itemId = catalogId(args.params.id)
  const id = String(itemId)
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeItem(itemId, done),
      file: 'file',
      done: { hide: 'hidden', show: 'shown' },
      more: {
        steps: (posted) => photoSteps(tirePictureActions, { ...posted, id }),
        refusals: tirePictureActions.refusals,
      },
    },
    tireActions,
  )
}

export default function ItemPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { sku, name, status, facts, stock, total, linePath, shopPath, isHidden, isUnlisted, listed } = loaderData
  return (
    <DetailPage
      title={sku}
      crumbs={[{ label: 'Catalog', path: officePaths.officeCatalog() }]}
      tags={<Tag tone={status.tone}>{status.words}</Tag>}
      news={loaderData.news}
      reply={reply}
      end={
        loaderData.formPath ? (
          <a className="btn" href={loaderData.formPath}>
            Edit
          </a>
        ) : undefined
      }
      body={
        <>
          <FactsPanel
            id="facts"
            title={name}
            note={loaderData.byHand ? 'Added by hand' : 'From feeds'}
            end={<a href={shopPath ?? linePath}>{shopPath ? 'View in store' : 'Model'}</a>}
            rows={facts}
          >
            <p>
              <a href={linePath}>Description and photos of {name}</a>
            </p>
          </FactsPanel>
          {listed ? (
            <TablePanel
              id="vehicles"
              title="Vehicles listed by the brand"
              note={listed.note}
              columns={{ name: 'Vehicle', terms: 'Conditions' }}
              rows={listed.rows.map((cells, index) => ({ id: String(index), cells }))}
            />
          ) : null}
          <PhotosPanel
            note="On the tire’s product page, before those of its model"
            empty="No photos. Shoppers see the photos of the model, or the drawing."
            pictures={loaderData.pictures}
            mayEdit={loaderData.mayEdit}
            reply={reply}
          />
        </>
      }
      side={
        <>
          {loaderData.mayEdit ? (
            <FormPanel
              id="status"
              title={isHidden ? 'List again' : 'Unlist'}
              reply={reply}
              text={
                isUnlisted
                  ? 'The brand’s latest feed doesn’t include this tire, so it is unlisted.'
                  : 'Feeds list and unlist tires. A tire that you unlist here stays unlisted.'
              }
              fields={{ reason: { label: 'Reason, for the audit log', kind: 'area', rows: 2, max: 500 } }}
              buttons={[isHidden ? button('show', 'List again', 'primary') : button('hide', 'Unlist', 'stop')]}
            />
          ) : null}
          {loaderData.mayEdit ? <AddPhotoPanel reply={reply} /> : null}
          <TablePanel
            id="stock"
            title="Stock"
            note={`${total} total`}
            caption="Stock by warehouse"
            empty="No warehouse has counted it."
            columns={{ warehouse: 'Warehouse', free: 'Available' }}
            amounts={['free']}
            rows={stock.map((cells) => ({ id: cells.warehouse, cells }))}
          />
        </>
      }
    />
  )
}
