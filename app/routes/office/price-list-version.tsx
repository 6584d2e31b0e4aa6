import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ApprovalNotice } from '#app/office/decision.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, Tag } from '#app/ui/office/office-parts.tsx'
import { approvalView } from '#app/office/claim.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  discardPriceList,
  endPriceList,
  findPriceListVersion,
  listPriceListEntries,
  previewPriceList,
  pricingsOf,
  findPriceListRequest,
  schedulePriceList,
} from '#domain/price-tiers/price-tiers.server.ts'
import { testAccountPrices, testedAt } from '#domain/promotions/promotions.server.ts'
import { endForm, listScheduleForm } from '#domain/promotions/promotions.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { PreviewPanels } from './price-list-preview.tsx'
import { entryRow, previewView } from './price-list-view.server.ts'
import { testView } from '#app/views/office-promotion.server.ts'
import { EndForm, ListScheduleForm, TestForm } from './scheduled-forms.tsx'
import { scheduledNews, scheduledStates } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/price-list-version.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.name ?? 'Version', officePaths.officePriceLists())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officePriceListVersion(params.slug, Number(params.version))
  const { shop, session } = await requireStaff(context, 'price-lists.read', path)
  const found = await findPriceListVersion(shop, params.slug, params.version)
  if (!found) throw new Response(null, { status: 404 })
  const { list, version } = found
  const after = /^\d{1,7}$/.exec(url.searchParams.get('after') ?? '')
  const { items, next } = await listPriceListEntries(shop, version.id, after && Number(after[0]))
  const at = testedAt(version.startsAt, shop.clock.now())
  const isToCome = version.state === 'draft' || version.state === 'scheduled'
  return {
    slug: list.slug,
    list: list.name,
    id: version.id,
    name: version.name,
    state: version.state,
    starts: version.startsAt ? timeText(version.startsAt, storeZone) : null,
    mayEdit: staffCan(session.roles, 'price-lists.edit'),
    done: scheduledNews(url.searchParams.get('done')),
    approval: approvalView(await findPriceListRequest(shop, version.id)),
    preview: version.state === 'draft' ? previewView(await previewPriceList(shop, version)) : null,
    test: isToCome
      ? await testView(url.searchParams, async (cart) =>
          testAccountPrices(shop.catalog, cart, { at, ...(await pricingsOf(shop, list, version.id, at)) }),
        )
      : null,
    rows: items.map(entryRow),
    next: next && officePaths.officePriceListVersion(list.slug, version.id, { after: next }),
  }
}

/** Schedules, ends or discards the version. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { slug } = params
  const path = officePaths.officePriceListVersion(slug, Number(params.version))
  const { shop, actor } = await requireStaff(context, 'price-lists.edit', path)
  const found = await findPriceListVersion(shop, slug, params.version)
  if (!found) throw new Response(null, { status: 404 })
  const { id } = found.version
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'schedule': {
      const checked = checkForm(listScheduleForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const done = await schedulePriceList(shop, actor, { id, ...checked.value })
      return done.ok
        ? seeOther(officePaths.officePriceListVersion(slug, id, { done: done.value.state }))
        : refusal(fields, done.reason)
    }
    case 'end': {
      const checked = checkForm(endForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const done = await endPriceList(shop, actor, { id, ...checked.value })
      if (!done.ok) return refusal(fields, done.reason)
      const { isWithdrawn } = done.value
      return seeOther(officePaths.officePriceListVersion(slug, id, { done: isWithdrawn ? 'withdrawn' : 'ended' }))
    }
    case 'discard': {
      const done = await discardPriceList(shop, actor, id)
      return done.ok ? seeOther(officePaths.officePriceList(slug)) : refusal(fields, done.reason)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const refusals = {
  'over-your-limit': { words: concessionMessages['over-your-limit'], status: 403 },
  'not-fresh': { words: concessionMessages['not-fresh'], status: 403 },
  'not-allowed': { words: 'Your role does not allow that. Nothing was changed.', status: 403 },
  gone: { words: 'It was discarded in the meantime.', status: 409 },
  'other-state': { words: 'A colleague changed it in the meantime. Nothing was changed.', status: 409 },
  'starts-in-past': { words: 'Choose a time that has not passed.', field: 'startsAt', status: 422 },
  'start-taken': { words: 'Another version starts at that time.', field: 'startsAt', status: 422 },
  'below-floor': {
    words: 'It sells tires below their minimum price or our cost. Tick this box if that is meant.',
    field: 'acceptsBelow',
    status: 422,
  },
} as const satisfies Record<string, { words: string; field?: string; status: number }>

function refusal(fields: URLSearchParams, reason: keyof typeof refusals) {
  const { words, field, status }: { words: string; field?: string; status: number } = refusals[reason]
  return field
    ? refuseForm(formRefusal(fields, 'Fix 1 field:', { [field]: words }), status)
    : refuseForm(formRefusal(fields, words), status)
}

export default function PriceListVersionPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { slug, list, id, name, state, starts, mayEdit, done, approval, preview, test, rows, next } = loaderData
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
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <ApprovalNotice request={approval} what="schedule it" />
      {preview ? <PreviewPanels preview={preview} /> : null}
      {state === 'draft' || state === 'scheduled' ? <TestForm test={test} /> : null}
      {mayEdit && state === 'draft' ? (
        <ListScheduleForm reply={reply} isBelow={preview !== null && preview.below.length > 0} />
      ) : null}
      {mayEdit && (state === 'running' || state === 'scheduled') ? (
        <EndForm what="version" reply={reply} isRunning={state === 'running'} />
      ) : null}
      <Panel id="rules" title="Rules" note={starts ? `From ${starts} Eastern.` : 'Not scheduled.'}>
        <DataTable
          caption="Rules"
          columns={[
            { key: 'line', label: 'Line', isRowHeader: true },
            { key: 'scope', label: 'For' },
            { key: 'target', label: 'Which' },
            { key: 'kind', label: 'Kind' },
            { key: 'percent', label: 'Percent', isAmount: true },
            { key: 'amount', label: 'Dollars', isAmount: true },
            { key: 'starts', label: 'First day' },
            { key: 'ends', label: 'Last day' },
          ]}
          rows={rows}
        />
      </Panel>
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
