import { customerBlockActions } from '#app/office/actions/customers.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { findPerson, nameOf } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findBlock } from '#domain/customers/customers/customers.server.ts'
import { maxBlockReason } from '#domain/customers/customers/customers.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Route } from './+types/customer-block.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Block a customer', officePaths.officeCustomers())

/** Keeping a customer from ordering, and letting them order again. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'customers.manage', officePaths.officeCustomerBlock(params.id))
  const person = found(await findPerson(app, params.id))
  const { id, ids } = found(person.customer)
  const block = await findBlock(app, ids)
  return {
    name: nameOf(person),
    path: officePaths.officeCustomer(id),
    block: block
      ? ([
          ['Reason', block.reason],
          ['Blocked', `${storeDateText(block.blockedAt)} by ${block.blockedBy}`],
        ] as const)
      : null,
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => (done ? officePaths.officeCustomer(id, done) : officePaths.officeCustomerBlock(id)),
      done: { block: 'blocked', unblock: 'unblocked' },
    },
    customerBlockActions,
  )
}

export default function BlockCustomer({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, path, block } = loaderData
  return (
    <OfficePage
      title={block ? `Unblock ${name}` : `Block ${name}`}
      crumbs={[
        { label: 'Customers', path: officePaths.officeCustomers() },
        { label: name, path },
      ]}
      reply={reply}
    >
      {block ? (
        <>
          <FactsPanel id="now" title="Blocked now" rows={block} />
          <FormPanel
            id="unblock"
            title="Allow orders again"
            reply={reply}
            text="The customer can place orders again."
            buttons={[button('unblock', 'Unblock customer', 'primary')]}
          />
        </>
      ) : (
        <FormPanel
          id="block"
          title="Block orders"
          isOpen
          reply={reply}
          text="A blocked customer can’t place new orders with their account, email or phone number. Checkout shows a message to call us. Existing orders continue."
          fields={{
            reason: { kind: 'area', label: 'Reason', max: maxBlockReason, hint: 'Only your team reads it.' },
          }}
          buttons={[button('block', 'Block customer', 'stop')]}
        />
      )}
    </OfficePage>
  )
}
