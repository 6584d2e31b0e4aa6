import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'

/**
 * Renders the VIN field. The VIN is on the windshield or the driver's door. Orders can be found by its last eight
 * characters.
 */
export function VinPanel({ orderId, reply }: { orderId: number; reply: FormReply | undefined }) {
  const back = officePaths.officeOrder(orderId)
  return (
    <Panel id="record-vin" title="Record the VIN" isOpen end={<a href={back}>Close</a>}>
      <PanelBody>
        <form method="post" action={`${officePaths.officeOrder(orderId, { act: 'vin' })}#record-vin`} noValidate>
          <ErrorSummary reply={reply} labels={{ vin: 'VIN' }} />
          <Field
            name="vin"
            label="VIN"
            reply={reply}
            maxLength={30}
            autoComplete="off"
            spellCheck={false}
            required
            hint="17 characters, on the windshield or the driver’s door. The order is found by the last 8."
          />
          <p>
            <button className="btn primary" name="intent" value="vin">
              Record VIN
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
