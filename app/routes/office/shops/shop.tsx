import type { FormReply } from '#app/forms/form.ts'
import { profileRequestActions } from '#app/office/actions/shop-terms.server.ts'
import { shopActions, shopClosingActions } from '#app/office/actions/shops.server.ts'
import { actionSteps, decide, doneNews, found } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Facts, Tag, type Tone } from '#app/ui/office/office-parts.tsx'
import { allowedFor, readClosing, readStatusPanel } from '#app/views/office/shop-status.server.ts'
import {
  readRequestView,
  readShopAgreement,
  readShopFacts,
  readShopHistory,
  readShopPeople,
  readShopTermsView,
  readShopVans,
  shopTabs,
} from '#app/views/office/shop.server.ts'
import { profileFieldsView } from '#app/views/shop-profile-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { findShopRecord } from '#domain/installer-portal/shops/shops.server.ts'
import { servicesText, statusNames } from '#domain/installer-portal/shops/shops.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { pauseDaysText } from '#domain/scheduling/installers/installers.ts'
import { countOf } from '#platform/count-text.ts'
import { phoneText } from '#platform/phone-text.ts'
import { ClosingPanel, RequestPanel, StatusPanel } from './shop-panels.tsx'
import { ShopSections } from './shop-sections.tsx'
import { AgreementPanel, HistoryPanel, PeoplePanel } from './shop-side.tsx'
import type { Route } from './+types/shop.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Shop', officePaths.officeShops())

const news = {
  added: 'Added. We emailed its owner, and customers see it once onboarding is complete.',
  saved: 'Saved. Customers see the change within a second.',
  approved: 'Approved. Customers see the change within a second.',
  declined: 'Declined. The owner sees your reason in the portal.',
  paused: 'Bookings paused. We emailed the customers you chose.',
  suspended: 'Suspended. Customers no longer see the shop.',
  closed: 'Closed. Its page leads to shops nearby.',
  scheduled: 'Closing scheduled. Bookings after the last day are refused.',
  decided: 'Saved. We emailed the customers you chose.',
  withdrawn: 'Closing withdrawn. The shop takes bookings for all days again.',
  reopened: 'Open again.',
}

/** A tire shop or van with its details, its staff, and the forms to change it. */
export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'office.open', officePaths.officeShop(shopCode))
  const { app, session } = staff
  const record = found(await findShopRecord(app, shopCode.slice(0, 40)))
  const mayEdit = staffCan(session.roles, 'shops.edit')
  const [{ facts, ahead }, terms, { since, ...vans }, people, agreement, request, history, panel, closing] =
    await Promise.all([
      readShopFacts(staff, record),
      readShopTermsView(staff, record),
      readShopVans(staff, record),
      readShopPeople(staff, record),
      readShopAgreement(staff, record),
      readRequestView(staff, record),
      readShopHistory(staff, record),
      readStatusPanel(staff, record, url.searchParams),
      readClosing(staff, record),
    ])
  const stops = allowedFor(session.roles, record)
  const mayReopen = record.status === 'open' ? record.pause !== null && mayEdit : staffCan(session.roles, 'shops.close')
  return {
    title: record.name,
    code: record.code,
    version: record.version,
    since,
    phone: phoneText(record.phone),
    state: stateOf(record),
    reason: record.statusReason ?? pauseWords(record),
    isPaused: record.pause !== null,
    facts,
    people,
    agreement,
    history,
    panel,
    closing: panel?.to === 'closing' ? null : closing,
    request: request && { ...request, mayDecide: mayEdit },
    shop: {
      version: record.version,
      kind: record.kind,
      state: record.state,
      profile: mayEdit ? profileFieldsView(record) : null,
      rows: readRows(record),
      limits: readLimits(record),
      takes: [
        ['Light truck', record.takesLightTruck ? 'Yes, by its prices' : 'No'],
        ['Run-flat', record.takesRunFlat ? 'Yes, by its prices' : 'No'],
      ] satisfies [string, string][],
      terms,
      ...vans,
    },
    stops: stops[0] === undefined ? null : officePaths.officeShop(shopCode, { to: stops[0] }),
    mayReopen,
    publicPage: record.isActive ? paths.tireShop(record.slug, record.code) : null,
    tabs: shopTabs(staff, record, { at: 'profile', ahead, people: people?.count ?? 0 }),
    news: doneNews(url, news),
  }
}

function stateOf({ status, isInSetUp, pause, closing }: ShopRecord): { label: string; tone: Tone } {
  if (status !== 'open') return { label: statusNames[status], tone: status === 'suspended' ? 'stop' : 'plain' }
  if (isInSetUp) return { label: 'Onboarding', tone: 'signal' }
  if (closing) return { label: 'Closing', tone: 'signal' }
  return pause ? { label: 'Paused', tone: 'signal' } : { label: statusNames.open, tone: 'go' }
}

function pauseWords({ pause }: ShopRecord): string | null {
  return pause && `No new bookings ${pauseDaysText(pause)}: ${pause.reason}`
}

/** The profile for who may only read it. */
function readRows(record: ShopRecord): [string, string][] {
  const rows: [string, string | null][] = [
    ['Address', `${record.street}, ${record.city}, ${record.state} ${record.zip}`],
    ['Phone', phoneText(record.phone)],
    ['Email', record.email],
    ['Website', record.website],
    ['Description', record.about],
    ['Services', servicesText(record.services)],
    ['Amenities', record.amenities.join(', ')],
  ]
  return rows.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []))
}

function readLimits({ rimMinIn, rimMaxIn, aspectMin, receivingMinutes }: ShopRecord): [string, string][] {
  return [
    ['Rims', `${rimMinIn} to ${rimMaxIn} in`],
    ['Aspect ratio', `${aspectMin} and above`],
    ['From delivery to the first job', countOf(receivingMinutes, 'minute')],
  ]
}

export const action = (args: Route.ActionArgs) => {
  const { shopCode: code } = args.params
  return decide(
    args,
    { noun: 'shop', permission: 'shops.edit', path: (done) => officePaths.officeShop(code, { done }) },
    async (posted) => {
      const done = {
        change: 'saved',
        pause: 'paused',
        suspend: 'suspended',
        close: 'closed',
        reopen: 'reopened',
      }
      return {
        ...(await actionSteps(shopActions, { id: code, done }, posted)),
        ...(await actionSteps(
          shopClosingActions,
          { id: code, done: { schedule: 'scheduled', decide: 'decided', withdraw: 'withdrawn' } },
          posted,
        )),
        ...(await actionSteps(
          profileRequestActions,
          { id: code, done: { approve: 'approved', decline: 'declined' } },
          posted,
        )),
      }
    },
    { ...profileRequestActions.refusals, ...shopClosingActions.refusals, ...shopActions.refusals },
  )
}

export default function ShopPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, code, version, since, state, facts, shop, panel, publicPage, stops } = loaderData
  return (
    <OfficePage
      title={title}
      crumbs={[{ label: 'All shops', path: officePaths.officeShops() }]}
      tags={
        <>
          <Tag tone={state.tone}>{state.label}</Tag>{' '}
          <span className="office-note">{since ? `${code} · since ${since}` : code}</span>
        </>
      }
      end={
        <>
          {publicPage ? (
            <a className="btn" href={publicPage}>
              Public page
            </a>
          ) : null}
          {stops ? (
            <a className="btn" href={stops} aria-current={panel ? 'true' : undefined}>
              Pause or close…
            </a>
          ) : null}
        </>
      }
      news={loaderData.news}
      reply={reply}
    >
      <Facts facts={facts} />
      <ListTabs label="About the shop" tabs={loaderData.tabs} />
      {panel ? <StatusPanel panel={panel} code={code} version={version} reply={reply} /> : null}
      {loaderData.closing ? <ClosingPanel closing={loaderData.closing} version={version} reply={reply} /> : null}
      <Columns body={<ShopSections shop={shop} reply={reply} />} last={<Side loaded={loaderData} reply={reply} />} />
    </OfficePage>
  )
}

/** Renders the pending decisions, the staff, and the history. */
function Side({
  loaded: { state, reason, mayReopen, isPaused, version, request, people, phone, agreement, history },
  reply,
}: {
  loaded: Route.ComponentProps['loaderData']
  reply: FormReply | undefined
}) {
  return (
    <>
      {reason || mayReopen ? (
        <FormPanel
          id="status"
          title={isPaused ? 'Paused' : state.label}
          isOpen
          text={reason}
          reply={reply}
          hidden={{ version }}
          buttons={mayReopen ? [button('reopen', isPaused ? 'End the pause' : 'Reopen the shop')] : []}
        />
      ) : null}
      {request ? <RequestPanel request={request} reply={reply} /> : null}
      {people ? <PeoplePanel people={people} phone={phone} /> : null}
      {agreement ? <AgreementPanel agreement={agreement} /> : null}
      <HistoryPanel entries={history} />
    </>
  )
}
