import { customerVehicleActions } from '#app/office/actions/customers.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { findPerson, nameOf } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { maxVehicleText } from '#domain/customers/customers/customers.ts'
import type { Route } from './+types/customer-vehicle.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Add vehicle', officePaths.officeCustomers())

export async function loader({ context, params }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'customers.edit', officePaths.officeCustomerVehicle(params.id))
  const person = found(await findPerson(app, params.id))
  return {
    name: nameOf(person),
    path: officePaths.officeCustomer(person.id),
    hasAccount: person.accounts.length > 0,
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => (done ? officePaths.officeCustomer(id, done) : officePaths.officeCustomerVehicle(id)),
      done: { add: 'vehicle' },
    },
    customerVehicleActions,
  )
}

export default function CustomerVehiclePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, path, hasAccount } = loaderData
  return (
    <OfficePage
      title="Add vehicle"
      crumbs={[
        { label: 'Customers', path: officePaths.officeCustomers() },
        { label: name, path },
      ]}
      reply={reply}
    >
      {hasAccount ? (
        <FormPanel
          id="vehicle"
          title="Vehicle"
          isOpen
          reply={reply}
          text="The customer sees it in their garage and checks its tire size there."
          fields={{
            vehicle: {
              label: 'Vehicle',
              max: maxVehicleText,
              hint: 'Year, make and model, such as 2019 Honda CR-V EX.',
            },
          }}
          buttons={[button('add', 'Add vehicle', 'primary')]}
        />
      ) : (
        <Notice tone="signal" title="This customer has no account">
          <p>Vehicles are saved in accounts. Enter the vehicle on a quote instead.</p>
        </Notice>
      )}
    </OfficePage>
  )
}
