import { ListPage } from '#app/office/list-page.tsx'
import { recalls } from '#app/office/lists/recalls.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { data } from 'react-router'
import { checkForm, formRefusal, readFormWithFile, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { RecallRanges } from '#app/ui/office/recall-ranges.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { recallForm } from '#domain/work-orders/work-orders.ts'
import { draftRecall } from '#domain/work-orders/work-orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { rangesOf, typedOf } from './recall-fields.server.ts'
import type { Route } from './+types/recalls.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Recalls', officePaths.officeRecalls())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, recalls)
  const { session } = await requireStaff(args.context, 'recalls.read', officePaths.officeRecalls())
  return {
    data,
    mayManage: staffCan(session.roles, 'recalls.manage'),
    news: args.url.searchParams.get('done') === 'discarded' ? 'Draft discarded.' : null,
  }
}

/** Drafts a campaign; its page then shows whose tires it is about, before anybody is told. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'recalls.manage', officePaths.officeRecalls())
  const { fields, file } = await readFormWithFile(request, 'file')
  const [checked, ranges] = [checkForm(recallForm, fields), await rangesOf(fields, file)]
  const rangeErrors: Record<string, string> = ranges.ok ? {} : { [file ? 'file' : 'ranges']: ranges.faults.join(' ') }
  if (!checked.ok || !ranges.ok) {
    const errors = { ...(checked.ok ? {} : checked.reply.errors), ...rangeErrors }
    return data({ values: typedOf(fields), errors } satisfies FormReply, { status: 422 })
  }
  const drafted = await draftRecall(shop, actor, { recall: checked.value, ranges: ranges.value })
  if (drafted.ok) return seeOther(officePaths.officeRecall(drafted.value.campaign, { done: 'drafted' }))
  const words =
    drafted.reason === 'unknown-sizes'
      ? `We sell nothing in ${drafted.detail.join(', ')}.`.slice(0, 300)
      : refusals[drafted.reason].words
  const { field, status } = refusals[drafted.reason]
  return refuseForm(formRefusal(fields, words, field ? { [field]: words } : {}), status)
}

const refusals = {
  'not-allowed': { words: 'Your role changed in the meantime. Nothing was changed.', field: null, status: 403 },
  'recall-exists': { words: 'This campaign is here already: open it and extend it.', field: 'campaign', status: 409 },
  'unknown-maker': { words: 'We sell no maker of this name.', field: 'maker', status: 422 },
  'unknown-line': { words: 'This maker has no line of this name.', field: 'line', status: 422 },
  'unknown-sizes': { words: '', field: 'sizes', status: 422 },
} as const

export default function RecallsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { data, mayManage, news } = loaderData
  return (
    <ListPage
      data={data}
      before={news && !reply ? <Notice tone="go" title={news} isNews /> : null}
      after={mayManage ? <Import reply={reply} /> : null}
    />
  )
}

const labels = {
  campaign: 'NHTSA number',
  maker: 'Maker',
  line: 'Line',
  sizes: 'Sizes',
  defect: 'What is wrong',
  remedy: 'What to do',
  ranges: 'TIN ranges',
  file: 'CSV file',
}

function Import({ reply }: { reply: FormReply | undefined }) {
  return (
    <Panel id="import" title="Import a campaign" note="A draft first: you see whose tires it is about." isOpen>
      <PanelBody>
        <form method="post" encType="multipart/form-data" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={labels} />
          <Field
            name="campaign"
            label={labels.campaign}
            reply={reply}
            maxLength={12}
            autoComplete="off"
            hint="As 26T-004"
          />
          <Field name="maker" label={labels.maker} reply={reply} maxLength={100} autoComplete="off" />
          <Field
            name="line"
            label={labels.line}
            reply={reply}
            maxLength={200}
            autoComplete="off"
            hint="Empty: every line within the ranges"
            required={false}
          />
          <TextAreaField
            name="sizes"
            label={labels.sizes}
            reply={reply}
            rows={2}
            maxLength={2_000}
            isRequired={false}
            hint="With commas, as 225/65R17. Empty: every size"
          />
          <TextAreaField
            name="defect"
            label={labels.defect}
            reply={reply}
            rows={2}
            maxLength={1_000}
            hint="Shops and buyers read this."
          />
          <TextAreaField
            name="remedy"
            label={labels.remedy}
            reply={reply}
            rows={3}
            maxLength={1_000}
            hint="The maker’s remedy, as the buyer reads it."
          />
          <RecallRanges reply={reply} />
          <button className="btn primary">Import as a draft</button>
        </form>
      </PanelBody>
    </Panel>
  )
}
