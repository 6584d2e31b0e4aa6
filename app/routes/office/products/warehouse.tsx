import { warehouseActions, warehouseId } from '#app/office/actions/warehouses.server.ts'
import { decideActions, doneNews, found, showing } from '#app/office/decision.server.ts'
import type { FormReply } from '#app/forms/form.ts'
import { EffectPanel, EffectRows } from '#app/office/effect-panel.tsx'
import { useFormInput, useLivePreview } from '#app/office/form-input.ts'
import { button } from '#app/office/form.tsx'
import { SaveBar, useUnsavedChanges } from '#app/office/save-bar.tsx'
import { Section, SectionsForm } from '#app/office/sections-form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Panel, PanelBody, Tag, Timeline } from '#app/ui/office/office-parts.tsx'
import { previewPromise, promisePreviewForm } from '#app/views/office/promise-preview.server.ts'
import { newWarehousePage, readWarehousePage } from '#app/views/office/warehouse.server.ts'
import { warehouseState } from '#app/views/warehouse-state.ts'
import { officePaths } from '#content/office-paths.ts'
import { findWarehouse, listTransit } from '#domain/supply/delivery/delivery.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { listSuppliers } from '#domain/supply/stock/stock.server.ts'
import { zoneName } from '#platform/time-text.ts'
import type { Application } from '#application'
import type { ComponentProps } from 'react'
import type { Route } from './+types/warehouse.ts'
import { placeLabels } from './warehouse-carriers.tsx'
import { changedSections, newSections, warehouseFormId, type ShownWarehouse } from './warehouse-sections.tsx'
import { tableLabels } from './warehouse-tables.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.warehouse?.name ?? 'New warehouse', officePaths.officeWarehouses())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const permission = id === 'new' ? 'warehouses.manage' : 'warehouses.read'
  const staff = await requireStaff(context, permission, officePaths.officeWarehouse(id))
  const { app, session } = staff
  const mayEdit = staffCan(session.roles, 'warehouses.manage')
  const warehouse = id === 'new' ? null : found(await findWarehouse(app, warehouseId(id)))
  const suppliers = await listSuppliers(app)
  return {
    ...(warehouse ? await readWarehousePage(staff, warehouse) : newWarehousePage),
    warehouse: warehouse && {
      ...warehouse,
      chosenZone: await chosenZoneOf(app, warehouse),
      zone: zoneName(app.clock.now(), warehouse.timeZone),
      prefixes: (await listTransit(app.db, warehouse.id)).length,
      transitPath: mayEdit ? officePaths.officeWarehouseTransit(id) : null,
    },
    mayEdit,
    supplier: (mayEdit && suppliers.find(({ id: each }) => each === warehouse?.supplierId)?.name) || null,
    suppliers: warehouse
      ? []
      : suppliers.flatMap(({ id: each, name, retiredAt }) => (retiredAt ? [] : [{ id: each, name }])),
    tag: warehouse && warehouseState(warehouse),
    news: doneNews(url, {
      saved: 'Saved. New orders use the change immediately.',
      transit: 'Imported. New orders use the transit days immediately.',
      'transit-removed': 'Removed. New orders use the days of the zones.',
    }),
  }
}

/** Returns the time zone chosen by staff; empty for the ZIP code’s. */
async function chosenZoneOf(
  { db }: Pick<Application, 'db'>,
  { zip, timeZone }: Pick<ShownWarehouse, 'zip' | 'timeZone'>,
): Promise<string> {
  return (await findPlace(db, zip))?.timeZone === timeZone ? '' : timeZone
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeWarehouse(id, done),
      done: { add: officePaths.officeWarehouses('added'), change: 'saved' },
      more: {
        steps: ({ app }) => ({
          preview: showing(
            promisePreviewForm,
            (input) => previewPromise(app, id === 'new' ? null : warehouseId(id), input),
            (effect) => ({ effect }),
          ),
        }),
        refusals: {
          'zip-unknown': warehouseActions.refusals['zip-unknown'],
          'destination-unknown': { field: 'shopperZip', text: 'We don’t know where this ZIP code is.' },
          'not-shipped': { field: 'shopperZip', text: 'The store doesn’t ship to APO, FPO, and DPO addresses.' },
          'zone-off': { field: 'shopperZip', text: 'This warehouse doesn’t ship to this ZIP code.' },
        },
      },
    },
    warehouseActions,
  )
}

type Loaded = Route.ComponentProps['loaderData']

export default function WarehousePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { warehouse, tag, news, about, stockPath, mayEdit } = loaderData
  return (
    <OfficePage
      title={warehouse?.name ?? 'New warehouse'}
      crumbs={[{ label: 'Warehouses', path: officePaths.officeWarehouses() }]}
      tags={
        <>
          {tag ? <Tag tone={tag.tone}>{tag.label}</Tag> : null}
          {about ? <span className="office-note">{about}</span> : null}
        </>
      }
      end={
        stockPath ? (
          <a className="btn quiet" href={stockPath}>
            Stock here
          </a>
        ) : undefined
      }
      news={news}
      reply={reply}
    >
      {mayEdit ? <WarehouseForm loaded={loaderData} reply={reply} /> : <ReadOnly loaded={loaderData} />}
    </OfficePage>
  )
}

/** The form with the preview of its delivery dates. */
function WarehouseForm({ loaded, reply }: { loaded: Loaded; reply: FormReply | undefined }) {
  const { warehouse } = loaded
  const live = useLivePreview<FormReply>(officePaths.officeWarehouse(warehouse ? String(warehouse.id) : 'new'))
  useFormInput(warehouseFormId, live.read)
  const unsaved = useUnsavedChanges(warehouseFormId, reply !== undefined)
  const [intent, label] = warehouse ? ['change', 'Save'] : ['add', 'Add the warehouse']
  return (
    <>
      <Columns
        body={
          <Sections
            loaded={loaded}
            reply={reply}
            buttons={[button(intent, label, 'primary')]}
            hidesButtons={unsaved.isUnsaved}
          />
        }
        last={
          <>
            <EffectPanel
              title="What a shopper is promised"
              formId={warehouseFormId}
              fields={{ shopperZip: { label: 'Shopper’s ZIP', value: loaded.shopperZip, max: 5 } }}
              empty="Shows when an order placed now arrives."
              first={loaded.promise}
              act="Check"
              reply={reply}
              live={live.reply}
            />
            <Changes loaded={loaded} />
          </>
        }
      />
      <SaveBar
        formId={warehouseFormId}
        intent={intent}
        label={label}
        note="For new orders. Orders already placed don’t change."
        unsaved={unsaved}
      />
    </>
  )
}

/** The page for roles that can’t change warehouses. */
function ReadOnly({ loaded }: { loaded: Loaded }) {
  return (
    <Columns
      body={
        <fieldset disabled>
          <Sections loaded={loaded} reply={undefined} buttons={[]} />
        </fieldset>
      }
      last={
        <>
          {loaded.promise ? (
            <Panel id="preview" title="What a shopper is promised" note={`ZIP code ${loaded.shopperZip}`}>
              <PanelBody>
                <EffectRows {...loaded.promise} />
              </PanelBody>
            </Panel>
          ) : null}
          <Changes loaded={loaded} />
        </>
      }
    />
  )
}

function Sections({
  loaded: { warehouse, supplier, suppliers, closing },
  reply,
  ...buttons
}: { loaded: Loaded; reply: FormReply | undefined } & Pick<
  ComponentProps<typeof SectionsForm>,
  'buttons' | 'hidesButtons'
>) {
  return (
    <SectionsForm
      formId={warehouseFormId}
      reply={reply}
      past={['preview']}
      hidden={{ version: warehouse?.version ?? 0 }}
      sections={warehouse ? changedSections(warehouse, supplier, reply) : newSections(suppliers, reply)}
      labels={{ ...tableLabels, ...placeLabels }}
      after={
        closing ? (
          <Section id="close" title="Close">
            <p>{closing.text}</p>
            <p>
              <a className="btn stop" href={closing.path}>
                {closing.label}
              </a>
            </p>
          </Section>
        ) : null
      }
      {...buttons}
    />
  )
}

/** Earlier changes. */
function Changes({ loaded: { changes } }: { loaded: Loaded }) {
  return changes.length === 0 ? null : (
    <Panel id="changes" title="Changes">
      <Timeline days={changes} />
    </Panel>
  )
}
