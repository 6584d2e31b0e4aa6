import type { FormReply } from '#app/forms/form.ts'
import { profileRequestActions } from '#app/office/actions/shop-terms.server.ts'
import { shopActions, shopClosingActions } from '#app/office/actions/shops.server.ts'
import { actionSteps, decide, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { identityFields, offerFields } from '#app/office/profile-fields.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Acts, Columns, Facts, KeyValues, Panel, PanelBody, Tag, type Tone } from '#app/ui/office/office-parts.tsx'
import { allowedFor, readClosing, readStatusPanel } from '#app/views/office/shop-status.server.ts'
import {
  pagesAbout,
  readRequestView,
  readShopFacts,
  readShopHistory,
  readShopPeople,
  readShopTermsView,
} from '#app/views/office/shop.server.ts'
import { profileFieldsView } from '#app/views/shop-profile-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { findShopRecord } from '#domain/installer-portal/shops/shops.server.ts'
import { servicesText, statusNames } from '#domain/installer-portal/shops/shops.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { pauseDaysText } from '#domain/scheduling/installers/installers.ts'
import { phoneText } from '#platform/phone-text.ts'
import { ClosingPanel, PeoplePanel, PricesPanel, RequestPanel, StatusPanel } from './shop-panels.tsx'
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
  const [facts, terms, people, request, history, panel, closing] = await Promise.all([
    readShopFacts(staff, record),
    readShopTermsView(staff, record),
    readShopPeople(staff, record),
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
    state: stateOf(record),
    reason: record.statusReason ?? pauseWords(record),
    isPaused: record.pause !== null,
    facts,
    terms,
    people,
    history,
    panel,
    closing: panel?.to === 'closing' ? null : closing,
    request: request && { ...request, mayDecide: mayEdit },
    profile: mayEdit ? profileFieldsView(record) : null,
    rows: mayEdit ? [] : readRows(record),
    kind: record.kind,
    stops: stops[0] === undefined ? null : officePaths.officeShop(shopCode, { to: stops[0] }),
    mayReopen,
    publicPage: record.isActive ? paths.tireShop(record.slug, record.code) : null,
    pages: pagesAbout(staff, record),
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
    ['Rims', `${record.rimMinIn} to ${record.rimMaxIn} in, aspect ratio ${record.aspectMin} and above`],
  ]
  return rows.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []))
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

type Loaded = Route.ComponentProps['loaderData']

export default function ShopPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, code, version, state, facts, terms, panel, publicPage, stops } = loaderData
  const hoursTitle = loaderData.kind === 'van' ? 'Hours and area' : 'Hours and bays'
  return (
    <OfficePage
      title={title}
      crumbs={[{ label: 'All shops', path: officePaths.officeShops() }]}
      tags={
        <>
          <Tag tone={state.tone}>{state.label}</Tag> <span className="office-note">{code}</span>
        </>
      }
      end={
        <>
          {publicPage ? (
            <a className="btn quiet" href={publicPage}>
              Public page
            </a>
          ) : null}
          {stops ? (
            <a className="btn quiet" href={stops} aria-current={panel ? 'true' : undefined}>
              Pause or close…
            </a>
          ) : null}
        </>
      }
      news={loaderData.news}
      reply={reply}
    >
      <Facts facts={facts} />
      {panel ? <StatusPanel panel={panel} code={code} version={version} reply={reply} /> : null}
      <ListTabs
        label="About the shop"
        tabs={[
          { label: 'Profile', path: officePaths.officeShop(code), isOn: true },
          { label: hoursTitle, path: '#hours', isOn: false },
          ...loaderData.pages.map((page) => ({ ...page, isOn: false })),
          ...(loaderData.people ? [{ label: 'People', path: '#members', isOn: false }] : []),
          { label: 'History', path: '#history', isOn: false },
        ]}
      />
      {loaderData.closing ? <ClosingPanel closing={loaderData.closing} version={version} reply={reply} /> : null}
      <Columns
        body={
          <>
            <Profile loaded={loaderData} reply={reply} />
            <Panel id="hours" title={hoursTitle} note={`Times in ${terms.zone}`}>
              <PanelBody>
                <KeyValues rows={terms.hours} />
              </PanelBody>
              {terms.portal.length > 0 ? (
                <PanelBody>
                  <Acts acts={terms.portal} />
                </PanelBody>
              ) : null}
            </Panel>
            <PricesPanel prices={terms.prices} />
          </>
        }
        last={<Side loaded={loaderData} reply={reply} />}
      />
    </OfficePage>
  )
}

/** The profile as a form, or as rows for who may only read it. */
function Profile({
  loaded: { profile, version, kind, rows },
  reply,
}: {
  loaded: Loaded
  reply: FormReply | undefined
}) {
  if (!profile)
    return (
      <Panel id="profile" title="Profile">
        <PanelBody>
          <KeyValues rows={rows} />
        </PanelBody>
      </Panel>
    )
  return (
    <FormPanel
      id="profile"
      title="Profile"
      lead="Shoppers see this. The owner can change it in the portal too."
      isPair
      reply={reply}
      hidden={{ version }}
      fields={{
        ...identityFields(profile),
        kind: {
          label: 'Kind',
          kind: 'choice',
          value: kind,
          options: Object.entries({ shop: 'Tire shop', van: 'Van' }),
        },
        ...offerFields(profile),
      }}
      buttons={[button('change', 'Save', 'primary')]}
    />
  )
}

/** Renders the pending decisions, the staff, and the history. */
function Side({ loaded, reply }: { loaded: Loaded; reply: FormReply | undefined }) {
  const { state, reason, mayReopen, isPaused, version, request, people, history } = loaded
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
      {people ? <PeoplePanel people={people} /> : null}
      <FactsPanel id="history" title="History" rows={history} />
    </>
  )
}
