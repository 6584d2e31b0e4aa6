import { approvalView } from '#app/office/claim.server.ts'
import { priceListVersionActions } from '#app/office/actions/price-lists.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { ApprovalNotice } from '#app/office/decision.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import {
  findPriceListVersion,
  listPriceListEntries,
  previewPriceList,
  pricingsOf,
  findPriceListRequest,
} from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { testAccountPrices, testedAt } from '#domain/catalog/promotions/promotions.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { PreviewPanels } from './price-list-preview.tsx'
import { entryRow, previewView } from '#app/views/office/price-list.server.ts'
import { testView } from '#app/views/office/promotion.server.ts'
import { EndForm, ListScheduleForm, TestForm } from './scheduled-forms.tsx'
import { scheduledNews, scheduledStates } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/price-list-version.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.name ?? 'Version', officePaths.officePriceLists())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officePriceListVersion(params.slug, Number(params.version))
  const { app, session } = await requireStaff(context, 'price-lists.read', path)
  const { list, version } = found(await findPriceListVersion(app, params.slug, params.version))
  const after = /^\d{1,7}$/.exec(url.searchParams.get('after') ?? '')
  const { items, next } = await listPriceListEntries(app, version.id, after && Number(after[0]))
  const at = testedAt(version.startsAt, app.clock.now())
  const isToCome = version.state === 'draft' || version.state === 'scheduled'
  return {
    slug: list.slug,
    list: list.name,
    id: version.id,
    name: version.name,
    state: version.state,
    starts: version.startsAt ? timeText(version.startsAt, storeZone) : null,
    mayEdit: staffCan(session.roles, 'price-lists.edit'),
    news: doneNews(url, scheduledNews),
    approval: approvalView(await findPriceListRequest(app, version.id)),
    preview: version.state === 'draft' ? previewView(await previewPriceList(app, version)) : null,
    test: isToCome
      ? await testView(url.searchParams, async (cart) =>
          testAccountPrices(app, cart, { at, ...(await pricingsOf(app, list, version.id, at)) }),
        )
      : null,
    rows: items.map(entryRow),
    next: next && officePaths.officePriceListVersion(list.slug, version.id, { after: next }),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { slug, version } = args.params
  return decideActions(
    args,
    {
      noun: 'version',
      id: async (_, { app }) => String(found(await findPriceListVersion(app, slug, version)).version.id),
      path: (done) => officePaths.officePriceListVersion(slug, Number(version), { done }),
      done: {
        schedule: (_, { state }) => state,
        end: (_, { isWithdrawn }) => (isWithdrawn ? 'withdrawn' : 'ended'),
        discard: officePaths.officePriceList(slug),
      },
    },
    priceListVersionActions,
  )
}

export default function PriceListVersionPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { slug, list, id, name, state, starts, mayEdit, news, approval, preview, test, rows, next } = loaderData
  return (
    <OfficePage
      title={name}
      crumbs={[
        { label: 'Price lists', path: officePaths.officePriceLists() },
        { label: list, path: officePaths.officePriceList(slug) },
      ]}
      tags={<Tag tone={scheduledStates[state].tone}>{scheduledStates[state].words}</Tag>}
      end={
        <a className="btn" href={officePaths.officePriceListEntriesCsv(slug, id)}>
          Export CSV
        </a>
      }
      news={news}
      reply={reply}
    >
      <ApprovalNotice request={approval} what="schedule it" />
      {preview ? <PreviewPanels preview={preview} /> : null}
      {state === 'draft' || state === 'scheduled' ? <TestForm test={test} /> : null}
      {mayEdit && state === 'draft' ? (
        <ListScheduleForm reply={reply} isBelow={preview !== null && preview.below.length > 0} />
      ) : null}
      {mayEdit && (state === 'running' || state === 'scheduled') ? (
        <EndForm what="version" reply={reply} isRunning={state === 'running'} />
      ) : null}
      <TablePanel
        id="rules"
        title="Rules"
        note={starts ? `From ${starts} Eastern.` : 'Not scheduled.'}
        columns={{
          line: 'Line',
          scope: 'For',
          target: 'Which',
          kind: 'Kind',
          percent: 'Percent',
          amount: 'Dollars',
          starts: 'First day',
          ends: 'Last day',
        }}
        amounts={['percent', 'amount']}
        rows={rows}
      />
      {next ? (
        <p>
          <a className="btn quiet" href={next} rel="next">
            More rules
          </a>
        </p>
      ) : null}
    </OfficePage>
  )
}
