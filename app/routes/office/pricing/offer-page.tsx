import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ApprovalNotice, FactsPanel, type ApprovalView } from '#app/office/decision.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import type { OfferOptions, reducedRows, TestView } from '#app/views/office/promotion.server.ts'
import { countOf } from '#platform/count-text.ts'
import { OfferChangeForm } from './offer-draft-form.tsx'
import { EndForm, ScheduleForm, TestForm } from './scheduled-forms.tsx'
import { scheduledStates } from '#app/views/scheduled-states.ts'

type OfferPageProps = {
  what: 'promotion' | 'coupon' | 'rebate'
  title: string
  /** The list it belongs to. */
  list: { label: string; path: string }
  state: keyof typeof scheduledStates
  mayEdit: boolean
  /** Whether this one can be ended or withdrawn; staff may if they may edit. */
  hasEnd: boolean
  links: { change?: string | null; replaces?: string | null }
  terms: readonly (readonly [string, ReactNode])[]
  /** Null before a cart is entered. Absent for a rebate, which doesn't change prices. */
  test?: TestView | null
  news: string | null
  approval: ApprovalView | null
  reply: FormReply | undefined
  /** The form of a draft that this person may change. */
  draft: { values: Readonly<Record<string, string>>; options: OfferOptions } | null
  version: number
  /** Replaces the note on the prices of its tires. */
  reducedNote?: string
  /** The first tires that it is for, and how many there are; null for a free service. */
  reduced: { count: number; rows: ReturnType<typeof reducedRows> } | null
  /** What follows the terms. */
  after?: ReactNode
}

/** Renders a promotion, coupon, or rebate with its terms, a test cart, and the actions for its state. */
export function OfferPage(props: OfferPageProps) {
  const { what, title, list, state, mayEdit, hasEnd, links, terms, test, news, approval, reply, draft, version } = props
  const rows = links.replaces
    ? [...terms, ['Replaces', <EarlierVersion key="replaces" path={links.replaces} />] as const]
    : terms
  return (
    <OfficePage
      title={title}
      crumbs={[list]}
      tags={<Tag tone={scheduledStates[state].tone}>{scheduledStates[state].words}</Tag>}
      end={
        mayEdit && links.change ? (
          <a className="btn" href={links.change}>
            Make a new version
          </a>
        ) : null
      }
      news={news}
      reply={reply}
    >
      <ApprovalNotice request={approval} what="schedule it" />
      <FactsPanel id={what} title={titles[what]} note={`Times are Eastern. ${changeNote(what, state)}`} rows={rows} />
      {props.reduced ? <Reduced {...props.reduced} what={what} note={props.reducedNote} /> : null}
      {props.after}
      {draft ? <OfferChangeForm what={what} {...draft} version={version} reply={reply} /> : null}
      {test === undefined ? null : <TestForm test={test} />}
      {mayEdit && state === 'draft' ? (
        <ScheduleForm
          version={version}
          reply={reply}
          text={what === 'rebate' ? 'Shoppers see it on its tires from its first purchase day.' : undefined}
        />
      ) : null}
      {mayEdit && hasEnd ? <EndForm what={what} reply={reply} isRunning={state === 'running'} /> : null}
    </OfficePage>
  )
}

function changeNote(what: OfferPageProps['what'], state: OfferPageProps['state']): string {
  if (state === 'draft') return 'A draft can be changed until it is scheduled.'
  if (what !== 'rebate') return 'Changes are saved as a new version.'
  if (state === 'scheduled') return 'To change it, withdraw it first.'
  return state === 'ended' ? 'It can no longer be changed.' : 'Its amount and tires can no longer be changed.'
}

const titles = { promotion: 'Promotion', coupon: 'Coupon', rebate: 'Rebate' }

function Reduced({
  count,
  rows,
  what,
  note = 'Each tire’s price in a set of four, at today’s retail price.',
}: NonNullable<OfferPageProps['reduced']> & Pick<OfferPageProps, 'what'> & { note: string | undefined }) {
  const all = countOf(count, 'tire')
  return (
    <TablePanel
      id="tires"
      title={count === 0 ? 'Tires' : `For ${all}`}
      empty="No tires on sale match."
      note={note}
      caption={rows.length < count ? `The first ${rows.length} of ${all}` : 'The tires that it is for'}
      columns={{ sku: 'SKU', tire: 'Tire', was: 'Price', now: what === 'rebate' ? 'After rebate' : 'With discount' }}
      amounts={['was', 'now']}
      rows={rows}
    />
  )
}

function EarlierVersion({ path }: { path: string }) {
  return <a href={path}>its earlier version</a>
}
