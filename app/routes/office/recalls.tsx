import { button, FormPanel } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { recalls } from '#app/office/lists/recalls.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { data } from 'react-router'
import { checkForm, formRefusal, readFormWithFile, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { recallForm } from '#domain/installer-portal/work-orders/work-orders.ts'
import { draftRecall } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { rangeFields } from './recall-fields.ts'
import { rangesOf, typedOf } from './recall-fields.server.ts'
import type { Route } from './+types/recalls.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Recalls', officePaths.officeRecalls())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, recalls)
  const { session } = await requireStaff(args.context, 'recalls.read', officePaths.officeRecalls())
  return {
    data,
    mayManage: staffCan(session.roles, 'recalls.manage'),
  }
}

/** Creates a draft campaign. Its page lists the affected tires before customers are notified. */
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
      ? `We don’t sell products in ${drafted.detail.join(', ')}.`.slice(0, 300)
      : refusals[drafted.reason].words
  const { field, status } = refusals[drafted.reason]
  return refuseForm(formRefusal(fields, words, field ? { [field]: words } : {}), status)
}

const refusals = {
  'not-allowed': { words: 'You no longer have permission to do this.', field: null, status: 403 },
  'recall-exists': { words: 'This campaign already exists. Open it to extend it.', field: 'campaign', status: 409 },
  'unknown-maker': { words: 'Manufacturer not found.', field: 'maker', status: 422 },
  'unknown-line': { words: 'This manufacturer has no model with this name.', field: 'line', status: 422 },
  'unknown-sizes': { words: '', field: 'sizes', status: 422 },
} as const

export default function RecallsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { data, mayManage } = loaderData
  return <ListPage data={data} reply={reply} after={mayManage ? <Import reply={reply} /> : null} />
}

function Import({ reply }: { reply: FormReply | undefined }) {
  return (
    <FormPanel
      id="import"
      title="Import a recall"
      lead="Saved as a draft first, so you can see the affected customers."
      isOpen
      reply={reply}
      fields={{
        campaign: { label: 'NHTSA number', max: 12, hint: 'Such as 26T-004.' },
        maker: { label: 'Manufacturer', max: 100 },
        line: { label: 'Model', max: 200, isOptional: true, hint: 'Leave empty for every model within the ranges.' },
        sizes: {
          label: 'Sizes',
          kind: 'area',
          rows: 2,
          max: 2_000,
          isOptional: true,
          hint: 'Separated by commas, such as 225/65R17. Leave empty for every size.',
        },
        defect: { label: 'Defect', kind: 'area', rows: 2, max: 1_000, hint: 'Shown to shops and customers.' },
        remedy: { label: 'Remedy', kind: 'area', rows: 3, max: 1_000, hint: 'Shown to customers.' },
        ...rangeFields,
      }}
      buttons={[button('', 'Import as draft', 'primary')]}
    />
  )
}
