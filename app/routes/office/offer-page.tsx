import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ApprovalNotice, FactsPanel, type ApprovalView } from '#app/office/decision.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import type { OfferOptions, reducedRows, TestView } from '#app/views/office-promotion.server.ts'
import { countOf } from '#platform/count-text.ts'
import { OfferChangeForm } from './offer-draft-form.tsx'
import { EndForm, ScheduleForm, TestForm } from './scheduled-forms.tsx'
import { scheduledStates } from '#app/views/scheduled-states.ts'

type OfferPageProps = {
  what: 'promotion' | 'coupon'
  title: string
  /** The list it belongs to. */
  list: { label: string; path: string }
  state: keyof typeof scheduledStates
  mayEdit: boolean
  /** Whether this one can be ended or withdrawn; staff may if they may edit. */
  hasEnd: boolean
  links: { change?: string | null; replaces?: string | null }
  terms: readonly (readonly [string, ReactNode])[]
  test: TestView | null
  news: string | null
  approval: ApprovalView | null
  reply: FormReply | undefined
  /** The form of a draft that this person may change. */
  draft: { values: Readonly<Record<string, string>>; options: OfferOptions } | null
  version: number
  /** The first tires that it is for, and how many there are; null for a free service. */
  reduced: { count: number; rows: ReturnType<typeof reducedRows> } | null
  /** What follows the terms. */
  after?: ReactNode
}

/** Renders a promotion or coupon with its terms, a test cart, and the actions for its state. */
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
      <FactsPanel
        id={what}
        title={what === 'coupon' ? 'Coupon' : 'Promotion'}
        note={`Times are Eastern. ${state === 'draft' ? 'A draft can be changed until it is scheduled.' : 'Changes are saved as a new version.'}`}
        rows={rows}
      />
      {props.reduced ? <Reduced {...props.reduced} /> : null}
      {props.after}
      {draft ? <OfferChangeForm what={what} {...draft} version={version} reply={reply} /> : null}
      <TestForm test={test} />
      {mayEdit && state === 'draft' ? <ScheduleForm version={version} reply={reply} /> : null}
      {mayEdit && hasEnd ? <EndForm what={what} reply={reply} isRunning={state === 'running'} /> : null}
    </OfficePage>
  )
}

function Reduced({ count, rows }: NonNullable<OfferPageProps['reduced']>) {
  const all = countOf(count, 'tire')
  return (
    <TablePanel
      id="tires"
      title={count === 0 ? 'Tires' : `For ${all}`}
      empty="No tires on sale match."
      note="Each tire’s price in a set of four, at today’s retail price."
      caption={rows.length < count ? `The first ${rows.length} of ${all}` : 'The tires that it is for'}
      columns={{ sku: 'SKU', tire: 'Tire', was: 'Price', now: 'With discount' }}
      amounts={['was', 'now']}
      rows={rows}
    />
  )
}

function EarlierVersion({ path }: { path: string }) {
  return <a href={path}>its earlier version</a>
}
