import type { FormReply } from '#app/forms/form.ts'
import { orderReturnActions } from '#app/office/actions/returns.server.ts'
import { actionStep, callOf, found, submit } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice } from '#app/ui/office/office-parts.tsx'
import { orderIdOf } from '#app/views/orders.server.ts'
import { askView } from '#app/views/returns.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { listOrderReturns } from '#domain/ordering/returns/returns.server.ts'
import { RulesPanel } from './return-panels.tsx'
import type { Route } from './+types/open-return.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, 'Open return', officePaths.officeOrder(Number(params.orderId)))

export async function loader({ context, params }: Route.LoaderArgs) {
  const orderId = orderIdOf(params.orderId)
  const { app } = await requireStaff(context, 'returns.open', officePaths.officeOpenReturn(orderId))
  const order = found(await readOrder(app.db, orderId))
  const earlier = await listOrderReturns(app.db, orderId)
  const { number, until, seq, lines, reasons, rules, closed } = await askView(app, order, {
    chosen: null,
    earlier,
    key: undefined,
  })
  return { orderId, number, until, seq, lines, reasons, rules, closed }
}

export const action = (args: Route.ActionArgs) => {
  const orderId = orderIdOf(args.params.orderId)
  return submit(
    args,
    { noun: 'return', permission: 'returns.open', path: () => officePaths.officeOpenReturn(orderId), file: 'photos' },
    (posted) =>
      actionStep(orderReturnActions.actions.add, callOf(posted, String(orderId)), (_, { id }) =>
        officePaths.officeReturn(id, 'opened'),
      ),
    orderReturnActions.refusals,
  )
}

/** A problem with the tires is shown at the first one. */
function atFirstLine(reply: FormReply, lines: readonly { lineNo: number; left: number }[]): FormReply {
  const { tires, ...errors } = reply.errors
  const first = lines.find(({ left }) => left > 0)
  return {
    ...reply,
    values: { ...reply.values, intent: '' },
    errors: tires === undefined || !first ? errors : { [`line-${first.lineNo}`]: tires, ...errors },
  }
}

export default function OpenReturn({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { orderId, number, until, seq, lines, reasons, rules, closed } = loaderData
  return (
    <OfficePage
      title="Open return"
      crumbs={[{ label: `Order ${number}`, path: officePaths.officeOrder(orderId) }]}
      reply={reply}
    >
      {closed !== null && !reply ? (
        <Notice tone="signal" title="This order cannot be returned now">
          <p>{closed}</p>
        </Notice>
      ) : (
        <Columns
          body={
            <FormPanel
              id="open-return"
              title="Items to return"
              lead={until === null ? undefined : `until ${until}`}
              reply={reply && atFirstLine(reply, lines)}
              hidden={{ seq }}
              fields={{
                ...Object.fromEntries(
                  lines
                    .filter(({ left }) => left > 0)
                    .map(({ lineNo, name, left }) => [
                      `line-${lineNo}`,
                      {
                        label: name,
                        kind: 'choice',
                        value: String(left),
                        options: Array.from({ length: left + 1 }, (_, count): [string, string] => [
                          String(count),
                          String(count),
                        ]),
                      } as const,
                    ]),
                ),
                unmounted: { label: 'The tires were never mounted', kind: 'tick' },
                reason: {
                  label: 'Reason',
                  kind: 'choice',
                  options: [
                    ['', 'Choose'],
                    ...reasons.map(({ value, label, fee }): [string, string] => [value, `${label} (${fee})`]),
                  ],
                },
                photos: {
                  label: 'Photo of the damage or wrong item',
                  kind: 'file',
                  accept: 'image/*',
                  isOptional: true,
                },
                note: { label: 'Note', kind: 'area', rows: 3, max: 500, isOptional: true },
              }}
              buttons={[button('', 'Open return', 'primary')]}
              note="The customer gets the same email as for a return that they open: a label for each tire, or a note that we look for missing ones."
            />
          }
          last={<RulesPanel rules={rules} />}
        />
      )}
    </OfficePage>
  )
}
