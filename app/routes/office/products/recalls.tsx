import { recallActions } from '#app/office/actions/recalls.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { recalls } from '#app/office/lists/recalls.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import type { FormReply } from '#app/forms/form.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { rangeFields } from './recall-fields.ts'
import type { Route } from './+types/recalls.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Recalls', officePaths.officeRecalls())

export async function loader(args: Route.LoaderArgs) {
  const { data, reader } = await openList(args, recalls)
  return { data, mayManage: reader.can('recalls.manage') }
}

/** Creates a draft campaign. Its page lists the affected tires before customers are notified. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: () => officePaths.officeRecalls(),
      file: 'file',
      fileFor: 'ranges',
      done: { add: (campaign) => officePaths.officeRecall(campaign, { done: 'drafted' }) },
    },
    recallActions,
  )

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
      buttons={[button('add', 'Import as draft', 'primary')]}
    />
  )
}
