/** The form that requests manifests, on the parcels and manifests pages. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { officePaths } from '#content/office-paths.ts'

export function ManifestForm({
  form: { key, warehouse, warehouses },
  reply,
}: {
  form: { key: string; warehouse: string; warehouses: FieldOptions }
  reply: FormReply | undefined
}) {
  return (
    <FormPanel
      id="manifest"
      title="End of day"
      isOpen
      reply={reply}
      action={officePaths.officeManifests()}
      text="The driver scans one form instead of every label. It covers parcels that were labeled today, and their labels can’t be voided afterward."
      hidden={{ key }}
      fields={{ warehouse: { label: 'Warehouse', kind: 'choice', options: warehouses, value: warehouse } }}
      buttons={[button('request', 'Create manifest')]}
    />
  )
}
