import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { brandPaths } from '#content/brand-paths.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { installerIdOf, storeStates, type StoreState } from '#domain/branded-stores/branded-stores.ts'
import { listStores, switchStore, type SwitchRefusal } from '#domain/branded-stores/branded-stores.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/branded-stores.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Branded stores', officePaths.officeBrandedStores())

const news: Readonly<Record<string, string>> = {
  on: 'Switched on. Its links open it from now on.',
  off: 'Switched off. Its links open our own store from now on.',
}
const states = Object.keys(storeStates) as StoreState[]

export async function loader({ context, url }: Route.LoaderArgs) {
  const path = officePaths.officeBrandedStores() + url.search
  const staff = await requireStaff(context, 'branded-stores.read', path)
  const state = states.find((each) => each === url.searchParams.get('state')) ?? 'waiting'
  const before = url.searchParams.get('before') ?? ''
  const [{ stores, next }, views] = await Promise.all([
    listStores(staff.shop, { state, before: /^[1-9]\d{0,8}$/.test(before) ? Number(before) : null }),
    readViewTabs(staff, 'branded-stores', url.searchParams),
  ])
  return {
    mayDecide: staffCan(staff.session.roles, 'branded-stores.decide'),
    state,
    views,
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    rows: stores.map((store) => ({
      code: store.shopCode,
      version: store.version,
      logo: store.logo ? brandPaths.logo(`${store.logo}.webp`) : null,
      cells: {
        shop: `${store.shopName}, ${store.city}, ${store.state} (${store.shopCode})`,
        dealerCode: store.dealerCode,
        colors: `${store.brandColor}, ${store.accentColor}`,
        saved: timeText(store.savedAt, storeZone),
        decided: store.decidedBy === null ? '' : `${store.decidedBy}${store.offReason ? `: ${store.offReason}` : ''}`,
      },
      name: store.tagline === null ? store.name : `${store.name}: ${store.tagline}`,
    })),
    next: next === null ? null : officePaths.officeBrandedStores({ state, before: next }),
  }
}

/** Switches a store on, or off with a reason. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'branded-stores.decide', officePaths.officeBrandedStores())
  const fields = await readForm(request)
  const intent = fields.get('intent')
  const shopCode = installerIdOf(fields.get('shop') ?? '')
  const seen = /^\d{1,9}$/.exec(fields.get('seen') ?? '')?.[0]
  if ((intent !== 'on' && intent !== 'off') || shopCode === undefined || seen === undefined)
    return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const offReason = intent === 'off' ? (fields.get('reason') ?? '') : null
  const switched = await switchStore(shop, { shopCode, seen: Number(seen), offReason, by: actor })
  if (switched.ok) return seeOther(officePaths.officeBrandedStores({ state: intent, done: intent }))
  return refuseForm(formRefusal(fields, refusals[switched.reason]), statusOf(switched.reason))
}

function statusOf(reason: SwitchRefusal['reason']): 403 | 409 | 422 {
  return reason === 'not-allowed' ? 403 : reason === 'no-reason' ? 422 : 409
}

const refusals: Readonly<Record<SwitchRefusal['reason'], string>> = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'no-store': 'This shop has no store.',
  'changed-meanwhile': 'The shop changed its store in the meantime. Look at it again.',
  'shop-not-offered': 'This shop is not offered to shoppers, so its store stays off.',
  'no-reason': 'Enter why it is switched off: the shop reads it.',
}

export default function BrandedStoresPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayDecide, state, views, news: done, rows, next } = loaderData
  return (
    <OfficePage title="Branded stores">
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      {reply ? <Notice tone="stop" title={reply.formError ?? 'Nothing was changed.'} isNews /> : null}
      <ListTabs
        label="Stores by state"
        tabs={states.map((each) => ({
          label: storeStates[each],
          path: officePaths.officeBrandedStores({ state: each }),
          isOn: each === state,
        }))}
        views={views}
      />
      <Panel id="stores" title={storeStates[state]}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No stores here.</p>
        ) : (
          <DataTable
            caption="Stores under shops’ names"
            columns={[
              { key: 'shop', label: 'Shop', isRowHeader: true },
              { key: 'name', label: 'Store' },
              { key: 'dealerCode', label: 'Dealer code' },
              { key: 'colors', label: 'Colors' },
              { key: 'saved', label: 'Saved' },
              { key: 'decided', label: 'Decided by' },
              ...(mayDecide ? [{ key: 'acts', label: 'Switch' }] : []),
            ]}
            rows={rows.map(({ code, version, logo, name, cells }) => ({
              id: code,
              cells: {
                ...cells,
                name: logo ? (
                  <span className="row">
                    <img src={logo} alt="" height={32} /> {name}
                  </span>
                ) : (
                  name
                ),
                ...(mayDecide ? { acts: <Switch shop={code} seen={version} isOn={state === 'on'} /> } : {}),
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of stores" older={next} file={views.file} />
    </OfficePage>
  )
}

function Switch({ shop, seen, isOn }: { shop: string; seen: number; isOn: boolean }) {
  return (
    <form method="post" className="row nowrap">
      <input type="hidden" name="shop" value={shop} />
      <input type="hidden" name="seen" value={seen} />
      {isOn ? null : (
        <button className="btn" name="intent" value="on">
          Switch on
        </button>
      )}
      <input className="input" name="reason" aria-label={`Why the store of ${shop} is switched off`} maxLength={500} />
      <button className="btn stop" name="intent" value="off">
        {isOn ? 'Switch off' : 'Refuse'}
      </button>
    </form>
  )
}
